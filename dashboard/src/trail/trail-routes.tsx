import type { Credential } from '@jobs-delete/accounts/accounts';
import { auditActions, type AuditEntry, operator } from '@jobs-delete/accounts/people/audit-trail';
import { activityTexts } from '../activity/activity-texts.ts';
import { DayFields } from '../activity/day-fields.tsx';
import type { Services } from '../services.ts';
import { listMembers } from '../people/member-routes.tsx';
import { accountPath } from '../web/account-path.ts';
import { lastOf, pathsOf, PlaceLinks, readCursor, readPlaces, writeCursor } from '../web/places.tsx';
import type { MemberVisit, Route } from '../web/route.ts';
import { Form, SelectField } from '../web/form.tsx';
import { problemPage } from '../web/problem-page.tsx';
import { Blank, Table } from '../web/table.tsx';
import { dayOf, formatDayIn, Time, utc } from '../web/time.tsx';
import {
  exportTrail,
  readFilter,
  readPage,
  type TrailFilter,
  type TrailPage,
  trailProblems,
  trailQuery,
  withoutSignIns,
} from './read-trail.ts';
import { pairEntries } from './pair-entries.ts';
import { Subject } from './subject.tsx';
import { actorText, trailTexts } from './trail-texts.ts';

/** More would make the page too large. */
const maxActors = 100;

/** The audit trail of the account, and its export. */
export function trailRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/trail',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, query } = visit;
        const filter = readFilter(query);
        const problems = trailProblems(filter);
        const isValid = Object.keys(problems).length === 0;
        const places = readPlaces(query, (text) => readCursor(text) !== undefined);
        const [{ entries, next }, tokens, secretKeys, members] = await Promise.all([
          isValid ? readPage(accounts, accountId, filter, readCursor(lastOf(places).after)) : emptyPage,
          accounts.listCredentials('token', accountId),
          accounts.listCredentials('secret-key', accountId),
          listMembers(accounts, accountId),
        ]);
        const keys = new Map([...tokens, ...secretKeys].map((key) => [key.id, key]));
        const texts = trailTexts[language];
        const to = pathsOf(places, {
          count: entries.length,
          next: next && writeCursor(next),
          pathOf: (pages) => accountPath(visit, `/trail?${trailQuery(filter, pages)}`),
        });
        // Former members are among the actors of the entries.
        const known = [...entries.map(({ actor }) => actor), ...members.map(({ email }) => email)];
        const actors = new Set([filter.actor ?? '', operator, ...known].filter(Boolean));
        const body = (
          <>
            <p>
              {texts.intro} {visit.zone !== utc && activityTexts[language].chart.utcDays}
            </p>
            <FilterForm {...{ visit, filter, problems, actors }} />
            {isValid && (
              <>
                <div class="heading">
                  <h2 id="entries">{texts.entries}</h2>
                  <a href={accountPath(visit, `/trail/export.csv?${trailQuery(filter)}`)}>
                    {texts.exportThese}
                  </a>
                </div>
                {entries.length === 0 ? (
                  <Blank icon="trail">
                    <p>{next === undefined ? texts.none : texts.noneRead}</p>
                  </Blank>
                ) : (
                  <EntryTable visit={visit} entries={entries} keys={keys} />
                )}
                <PlaceLinks to={to} texts={texts} />
              </>
            )}
          </>
        );
        return { kind: 'page', status: isValid ? 200 : 422, title: texts.title, body };
      },
    },
    {
      method: 'GET',
      path: '/trail/export.csv',
      access: 'viewer',
      serve: (visit) => {
        const filter = readFilter(visit.query);
        if (Object.keys(trailProblems(filter)).length > 0) return problemPage(visit, 'badRequest');
        const chunks = exportTrail(accounts, visit.accountId, filter);
        return { kind: 'file', name: `audit-trail-${dayOf(visit.nowMs)}.csv`, chunks };
      },
    },
  ];
}

const emptyPage: TrailPage = { entries: [], next: undefined };

interface FilterFormProps {
  readonly visit: MemberVisit;
  readonly filter: TrailFilter;
  readonly problems: ReturnType<typeof trailProblems>;
  readonly actors: ReadonlySet<string>;
}

function FilterForm({ visit, filter, problems, actors }: FilterFormProps) {
  const texts = trailTexts[visit.language];
  // Only the browser knows that a date is incomplete.
  return (
    <Form method="get" action={accountPath(visit, '/trail')} class="card filters" novalidate={false}>
      <SelectField
        name="actor"
        label={texts.actor}
        options={[
          { value: '', text: texts.everybody },
          ...[...actors].slice(0, maxActors).map((value) => ({
            value,
            text: actorText(value, visit.language),
          })),
        ]}
        value={filter.actor ?? ''}
      />
      <SelectField
        name="action"
        label={texts.action}
        options={[
          { value: withoutSignIns, text: texts.withoutSignIns },
          { value: '', text: texts.allActions },
          ...(filter.unknownAction === undefined
            ? []
            : [{ value: filter.unknownAction, text: filter.unknownAction }]),
          ...auditActions.map((value) => ({ value, text: texts.actions[value] })),
        ]}
        value={filter.unknownAction ?? filter.action ?? ''}
        problem={problems.action && texts.unknownAction(filter.unknownAction ?? '')}
      />
      <DayFields language={visit.language} range={filter} problems={problems} />
      <button class="quiet">{texts.filter}</button>
      {trailQuery(filter) !== trailQuery(readFilter(new URLSearchParams())) && (
        <a href={accountPath(visit, '/trail')}>{activityTexts[visit.language].filter.clear}</a>
      )}
    </Form>
  );
}

interface EntryTableProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'zone'>;
  readonly entries: readonly AuditEntry[];
  /** By their id. */
  readonly keys: ReadonlyMap<string, Credential>;
}

function EntryTable({ visit, entries, keys }: EntryTableProps) {
  const { language, zone } = visit;
  const texts = trailTexts[language];
  const rows = pairEntries(entries).map((row) => ({
    ...row,
    day: formatDayIn(zone, row.entry.atMs, language),
  }));
  return (
    <Table
      heading="entries"
      look="trail"
      columns={[
        { header: texts.action },
        { plain: texts.time },
        { plain: texts.actor },
        { plain: texts.subject },
        { plain: texts.network },
      ]}
      rows={rows.flatMap(({ entry, also, day }, index) => {
        const cells = [
          also ? texts.ofBoth[also.change] : texts.actions[entry.action],
          <Time ms={entry.atMs} language={language} withSeconds isOfDay />,
          actorText(entry.actor, language),
          <Subject visit={visit} entry={entry} also={also?.subject} keys={keys} />,
          entry.network ?? '–',
        ];
        return day === rows[index - 1]?.day ? [cells] : [{ rowsOf: day }, cells];
      })}
    />
  );
}
