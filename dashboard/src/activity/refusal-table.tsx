import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import type { Language } from '../web/language.ts';
import { Table } from '../web/table.tsx';
import { activityTexts } from './activity-texts.ts';
import { problemUrl, sumByCode } from './refusals.ts';

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
        <Table
          heading="refusals-heading"
          columns={[{ header: texts.code }, { number: texts.count }, texts.lastDay]}
          rows={sums.map(({ code, count, lastDay }) => [
            <a href={problemUrl(apiUrl, code)}>
              <code>{code}</code>
            </a>,
            format.format(count),
            lastDay,
          ])}
        />
      )}
    </section>
  );
}
