import type { RefusalCount } from '@jobs-delete/accounts/refusal-counter';
import type { Language } from '../web/language.ts';
import { Table } from '../web/table.tsx';
import { activityTexts } from './activity-texts.ts';

export interface RefusalTableProps {
  readonly language: Language;
  readonly refusals: readonly RefusalCount[];
  readonly apiUrl: string;
}

export function RefusalTable({ language, refusals, apiUrl }: RefusalTableProps) {
  const { refusals: texts } = activityTexts[language];
  const format = new Intl.NumberFormat(language);
  const sums = sumByCode(refusals);
  return (
    <section>
      <h2 id="refusals-heading">{texts.heading}</h2>
      {sums.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <Table heading="refusals-heading" columns={[texts.code, texts.count, texts.lastDay]}>
          {sums.map(({ code, count, lastDay }) => (
            <tr>
              <th scope="row">
                <a href={problemUrl(apiUrl, code)}>{code}</a>
              </th>
              <td>{format.format(count)}</td>
              <td>{lastDay}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

export interface RefusalsOfCode {
  readonly code: string;
  readonly count: number;
  /** The latest day with such a refusal. */
  readonly lastDay: string;
}

/** Adds up the days of each code. The most frequent code is the first. */
export function sumByCode(refusals: readonly RefusalCount[]): readonly RefusalsOfCode[] {
  const sums = new Map<string, RefusalsOfCode>();
  for (const { code, count, day } of refusals) {
    const { count: before = 0, lastDay = '' } = sums.get(code) ?? {};
    sums.set(code, { code, count: before + count, lastDay: day > lastDay ? day : lastDay });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Returns the address of the API's page about a problem. */
export function problemUrl(apiUrl: string, code: string): string {
  return `${apiUrl}/problems/${encodeURIComponent(code.replaceAll('_', '-'))}`;
}
