import { type AuditEntry, auditActions, operator } from '@jobs-delete/accounts/people/audit-trail';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { csvMediaType } from '../web/csv.ts';
import type { MemberVisit, Route } from '../web/route.ts';
import { SelectField } from '../web/form.tsx';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { exportTrail, formatCursor, readAction, readCursor, readPage } from './read-trail.ts';
import { trailTexts } from './trail-texts.ts';

/** The audit trail of the account, and its export. */
export function trailRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/trail',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, query } = visit;
        const action = readAction(query);
        const { entries, next } = await readPage(accounts, accountId, action, readCursor(query));
        const texts = trailTexts[language];
        const older = new URLSearchParams({
          ...(action && { action }),
          ...(next && { before: formatCursor(next) }),
        });
        const body = (
          <>
            <p>{texts.intro}</p>
            <FilterForm visit={visit} action={action ?? ''} />
            <h2 id="entries">{texts.entries}</h2>
            {entries.length === 0 ? (
              <p>{next === undefined ? texts.none : texts.noneRead}</p>
            ) : (
              <EntryTable visit={visit} entries={entries} />
            )}
            <p class="actions">
              {next && <a href={accountPath(visit, `/trail?${older.toString()}`)}>{texts.older}</a>}
              {query.has('before') && <a href={accountPath(visit, '/trail')}>{texts.newest}</a>}
              <a href={accountPath(visit, '/trail/export.csv')}>{texts.exportAll}</a>
            </p>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    {
      method: 'GET',
      path: '/trail/export.csv',
      access: 'viewer',
      serve: ({ accountId }) => ({
        kind: 'file',
        name: 'audit-trail.csv',
        mediaType: csvMediaType,
        chunks: exportTrail(accounts, accountId),
      }),
    },
  ];
}

function FilterForm({ visit, action }: { readonly visit: MemberVisit; readonly action: string }) {
  const texts = trailTexts[visit.language];
  const options = [
    { value: '', text: texts.allActions },
    ...auditActions.map((value) => ({ value, text: texts.actions[value] })),
  ];
  return (
    <form method="get" action={accountPath(visit, '/trail')}>
      <SelectField name="action" label={texts.action} options={options} value={action} />
      <button class="quiet">{texts.filter}</button>
    </form>
  );
}

interface EntryTableProps {
  readonly visit: Pick<MemberVisit, 'language' | 'nowMs'>;
  readonly entries: readonly AuditEntry[];
}

function EntryTable({ visit: { language, nowMs }, entries }: EntryTableProps) {
  const texts = trailTexts[language];
  return (
    <Table
      heading="entries"
      columns={[{ header: texts.action }, texts.time, texts.actor, texts.subject, texts.network]}
      rows={entries.map(({ atMs, action, actor, subject, network }) => [
        texts.actions[action],
        <Time ms={atMs} language={language} nowMs={nowMs} />,
        actor === operator ? texts.operator : actor,
        subject ?? '–',
        network ?? '–',
      ])}
    />
  );
}
