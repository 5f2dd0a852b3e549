import type { Deletion } from '../deleter/deletion.ts';
import type { Language } from '../web/language.ts';
import { Table } from '../web/table.tsx';
import { Time } from '../web/time.tsx';
import { activityTexts } from './activity-texts.ts';
import { deletionTexts } from './deletion-texts.ts';

export interface DeletionTableProps {
  readonly language: Language;
  readonly deletions: readonly Deletion[];
  /** The names of the account's tokens by their id. */
  readonly tokenNames: ReadonlyMap<string, string>;
}

export function DeletionTable({ language, deletions, tokenNames }: DeletionTableProps) {
  const texts = deletionTexts[language];
  const { find, states } = activityTexts[language];
  const format = new Intl.NumberFormat(language);
  return (
    <Table heading="list-heading" columns={[texts.accepted, find.id, texts.state, texts.jobs, texts.token]}>
      {deletions.map(({ id, state, jobCount, acceptedAtMs, origin }) => (
        <tr>
          <td>
            <Time ms={acceptedAtMs} language={language} />
          </td>
          <th scope="row">
            <a href={`/activity/${id}`}>{id}</a>
          </th>
          <td>{states[state]}</td>
          <td>{format.format(jobCount)}</td>
          <td>{tokenNames.get(origin.tokenId) ?? origin.tokenId}</td>
        </tr>
      ))}
    </Table>
  );
}
