import type { Deletion } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { ShortId } from '../web/marks.tsx';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { activityTexts } from './activity-texts.ts';
import { StateBadge } from './deletion-facts.tsx';
import { deletionTexts } from './deletion-texts.ts';

interface DeletionTableProps {
  readonly visit: Pick<MemberVisit, 'language' | 'nowMs'>;
  readonly deletions: readonly Deletion[];
  /** The names of the account's tokens by their id. */
  readonly tokenNames: ReadonlyMap<string, string>;
}

/** Each row begins with the time of the request, which leads to the page of the deletion. */
export function DeletionTable({ visit, deletions, tokenNames }: DeletionTableProps) {
  const { language, nowMs } = visit;
  const texts = deletionTexts[language];
  const { find, list } = activityTexts[language];
  const format = new Intl.NumberFormat(language);
  return (
    <Table
      heading="list-heading"
      columns={[
        { header: texts.accepted },
        { aside: texts.state },
        { number: texts.jobs },
        { plain: list.by },
        { plain: find.id },
      ]}
      look="deletions"
      rows={deletions.map(({ accountId, id, state, jobCount, acceptedAtMs, removalAtMs, origin }) => [
        <a href={accountPath({ accountId }, `/activity/${id}`)}>
          <Time ms={acceptedAtMs} language={language} />
        </a>,
        <StateCell {...{ language, state, removalAtMs, nowMs }} />,
        format.format(jobCount),
        origin.person || (tokenNames.get(origin.tokenId) ?? <ShortId id={origin.tokenId} />),
        <ShortId id={id} />,
      ])}
    />
  );
}

interface StateCellProps extends Pick<Deletion, 'state' | 'removalAtMs'> {
  readonly language: Language;
  readonly nowMs: number;
}

/** The state of a deletion, with the time of the removal that it waits for. */
export function StateCell({ language, state, removalAtMs, nowMs }: StateCellProps) {
  return (
    <>
      <StateBadge language={language} state={state} />
      {state === 'waiting' && removalAtMs !== undefined && (
        <span class="removal">
          {' '}
          (<Time ms={removalAtMs} language={language} nowMs={nowMs} />)
        </span>
      )}
    </>
  );
}
