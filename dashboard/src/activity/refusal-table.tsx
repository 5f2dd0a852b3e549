import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { activityTexts } from './activity-texts.ts';
import { problemUrl, sumByCode } from './refusals.ts';

export interface RefusalTableProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language'>;
  readonly refusals: readonly RefusalCount[];
  readonly apiUrl: string;
}

export function RefusalTable({ visit, refusals, apiUrl }: RefusalTableProps) {
  const { language } = visit;
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
          columns={[
            { header: texts.code },
            { number: texts.count },
            { number: texts.sandbox },
            texts.lastDay,
          ]}
          rows={sums.map(({ code, count, sandboxCount, lastDay }) => [
            <a href={problemUrl(apiUrl, code)}>
              <code>{code}</code>
            </a>,
            format.format(count),
            format.format(sandboxCount),
            lastDay,
          ])}
        />
      )}
      <p>
        <a href={accountPath(visit, '/activity/refused')}>{texts.each}</a>
      </p>
    </section>
  );
}
