import type { Deletion } from '../deleter/deletion.ts';
import type { Language } from '../web/language.ts';
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
    <div class="scroll" tabindex={0} role="region" aria-labelledby="list-heading">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.accepted}</th>
            <th scope="col">{find.id}</th>
            <th scope="col">{texts.state}</th>
            <th scope="col">{texts.jobs}</th>
            <th scope="col">{texts.token}</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
