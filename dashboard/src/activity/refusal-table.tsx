import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { dayOf, firstDayOf, formatDay } from '../web/time.tsx';
import { activityTexts } from './activity-texts.ts';
import { sumByCode } from './refusals.ts';

interface RefusalTableProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs'>;
  readonly refusals: readonly RefusalCount[];
  /** The starts of the days that it shows. None, such as for a filter by state: it is left out. */
  readonly days: readonly number[];
}

/** How many requests were refused, by code. */
export function RefusalTable({ visit, refusals, days }: RefusalTableProps) {
  const { language, nowMs } = visit;
  const [firstMs, lastMs] = [days.at(0), days.at(-1)];
  if (firstMs === undefined || lastMs === undefined) return null;
  const { refusals: texts } = activityTexts[language];
  const format = new Intl.NumberFormat(language);
  const [first, last] = [dayOf(firstMs), dayOf(lastMs)];
  const sums = sumByCode(refusals.filter(({ day }) => first <= day && day <= last));
  const isLatest = days.length > 1 && lastMs === firstDayOf(nowMs, 1);
  return (
    <section>
      <div class="heading">
        <h2 id="refusals-heading">
          {isLatest
            ? texts.ofLast(format.format(days.length))
            : texts.of(formatDay(firstMs, language), formatDay(lastMs, language))}
        </h2>
        {sums.length > 0 && <a href={accountPath(visit, '/activity/refused')}>{texts.each}</a>}
      </div>
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
            <a href={accountPath(visit, `/activity/refused?code=${encodeURIComponent(code)}`)}>
              <code>{code}</code>
            </a>,
            format.format(count),
            format.format(sandboxCount),
            formatDay(Date.parse(lastDay), language),
          ])}
        />
      )}
    </section>
  );
}
