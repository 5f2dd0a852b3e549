import type { Credential } from '@jobs-delete/accounts/accounts';
import { isDeletionId } from '@jobs-delete/proto/ids';
import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import type { DeleterCalls, DeletionsPage, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { StateBadge } from './deletion-facts.tsx';
import { ShortId, shortId } from '../web/marks.tsx';
import { ifAvailable } from '../deleter/answer-to.ts';
import { inTime } from '../web/late-value.ts';
import { Blank, Table } from '../web/table.tsx';
import { formatDay, Time } from '../web/time.tsx';
import {
  type ActivityFilter,
  chartDaysOf,
  dayMs,
  dayOf,
  filterProblems,
  filterQuery,
  firstDayOf,
  isFiltered,
  isOfAll,
  rangeOf,
  readFilter,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import { hasRefusedIn, readChart, refusedDaysOf, type DayCounter } from './chart-days.ts';
import { chartLinksOf, DayChart, LateDayChart } from './day-chart.tsx';
import { readDayOrder } from './day-table.tsx';
import { deletionTexts } from './deletion-texts.ts';
import { Tools } from './filter-form.tsx';
import { refusedTexts } from './refused-texts.ts';
import { credentialNames } from '../keys/key-state.ts';
import { sumByCode } from './refusals.ts';

interface ListServices extends Pick<Services, 'accounts' | 'deleter'> {
  readonly dayCounter: DayCounter;
}

const pageSize = 25;

/** The list of deletions, with a chart of their days, and the refused requests of these days. */
export function listRoutes(services: ListServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/activity',
      access: 'viewer',
      serve: async (visit) => {
        const text = visit.query.get('id')?.trim() ?? '';
        const id = text.toLowerCase();
        if (id === '') return listPage(visit, services);
        const isKnown =
          isDeletionId(id) && (await services.deleter.getDeletion(visit.accountId, id)) !== undefined;
        return isKnown
          ? { kind: 'redirect', to: accountPath(visit, `/activity/${id}`) }
          : listPage(visit, services, text);
      },
    },
  ];
}

/** @param unknownId a Deletion-Id that the account does not have */
async function listPage(visit: MemberVisit, services: ListServices, unknownId?: string): Promise<Reply> {
  const { accountId, language, nowMs, query } = visit;
  const { accounts, deleter } = services;
  const filter = readFilter(query);
  const problems = filterProblems(filter);
  const isValid = Object.keys(problems).length === 0;
  const pageToken = query.get('page') ?? undefined;
  const days = chartDaysOf(filter, nowMs);
  const order = readDayOrder(query);
  const reads = {
    tokens: accounts.listCredentials('token', accountId),
    refusals: accounts.listRefusals(accountId, dayOf(days.firstMs)),
  };
  const [page, chart, refusals, tokens] = await Promise.all([
    isValid ? findDeletions(deleter, { accountId, pageSize, pageToken, ...rangeOf(filter) }) : emptyPage,
    isValid ? ifAvailable(inTime(readChart(services, visit, filter, reads))) : undefined,
    reads.refusals,
    reads.tokens,
  ]);
  // An address from a bookmark may have the page of a deletion that has expired.
  if (page === undefined)
    return { kind: 'redirect', to: accountPath(visit, `/activity${filterQuery(filter)}`) };

  const texts = activityTexts[language];
  const { ofState, ofToken } = texts.chart;
  const { state, tokenId } = filter;
  const choices = [
    ...(state === undefined ? [] : [ofState(texts.states[state])]),
    ...(tokenId === '' ? [] : [ofToken(credentialNames(tokens).get(tokenId) ?? shortId(tokenId))]),
  ];
  const chosen = new Intl.ListFormat(language).format(choices);
  const refusedDays = isValid && isOfAll(filter) ? refusedDaysOf(days, nowMs) : [];
  const hasRefused = hasRefusedIn(refusals, refusedDays);
  const isEmpty = page.deletions.length === 0 && (page.nextPageToken ?? '') === '' && pageToken === undefined;
  // A chart of zeros would only push the list down.
  const isCharted = isValid && (hasRefused || !isEmpty);
  const hasToday = days.firstMs + (days.days - 1) * dayMs === firstDayOf(nowMs, 1);
  const isUnused = isEmpty && query.size === 0;
  const body = isUnused ? (
    <>
      <Blank
        icon="activity"
        actions={
          <a class="button" href={accountPath(visit, '/sandbox')}>
            {refusedTexts[language].tryIt}
          </a>
        }
      >
        <p>
          <strong>{texts.list.nothing}</strong>
        </p>
        <p>{texts.list.firstStep}</p>
      </Blank>
      <RefusalTable visit={visit} refusals={refusals} days={refusedDays} />
    </>
  ) : (
    <>
      <p>{texts.intro}</p>
      <Tools {...{ visit, filter, problems, tokens, unknownId }} />
      {isCharted && chart !== undefined && (
        <DayChart {...{ language, chart, order }} {...chartLinksOf(visit, filter)} />
      )}
      {isCharted && chart === undefined && (
        <LateDayChart range={days} {...{ visit, filter, order, hasToday, hasRefused }} />
      )}
      {isCharted && !isOfAll(filter) && <p class="muted">{texts.chart.filtered(chosen)}</p>}
      {isValid && <Deletions {...{ visit, filter, page, tokens, isLaterPage: pageToken !== undefined }} />}
      <RefusalTable visit={visit} refusals={refusals} days={refusedDays} />
    </>
  );
  return { kind: 'page', status: isValid && unknownId === undefined ? 200 : 422, title: texts.title, body };
}

const emptyPage: DeletionsPage = { deletions: [], nextPageToken: undefined };

interface DeletionsProps {
  readonly visit: MemberVisit;
  readonly filter: ActivityFilter;
  readonly page: DeletionsPage;
  readonly tokens: readonly Credential[];
  readonly isLaterPage: boolean;
}

function Deletions({ visit, filter, page, tokens, isLaterPage }: DeletionsProps) {
  const { language } = visit;
  const { list: texts } = activityTexts[language];
  const { deletions, nextPageToken } = page;
  return (
    <section>
      <div class="heading">
        <h2 id="list-heading">{texts.heading}</h2>
        <a href={accountPath(visit, `/activity/export.csv${filterQuery(filter)}`)}>{texts.export}</a>
      </div>
      {deletions.length === 0 ? (
        <p>
          {nextPageToken !== undefined ? texts.noneHere : isFiltered(filter) ? texts.none : texts.nothing}
        </p>
      ) : (
        <DeletionTable visit={visit} deletions={deletions} tokenNames={credentialNames(tokens)} />
      )}
      {(isLaterPage || nextPageToken) && (
        <p class="inline">
          {isLaterPage && <a href={accountPath(visit, `/activity${filterQuery(filter)}`)}>{texts.first}</a>}
          {nextPageToken && (
            <a href={accountPath(visit, `/activity${filterQuery(filter, { page: nextPageToken })}`)}>
              {texts.next}
            </a>
          )}
        </p>
      )}
    </section>
  );
}

export interface DeletionTableProps {
  readonly visit: Pick<MemberVisit, 'language' | 'nowMs'>;
  readonly deletions: readonly Deletion[];
  /** The names of the account's tokens by their id. */
  readonly tokenNames: ReadonlyMap<string, string>;
}

export function DeletionTable({ visit, deletions, tokenNames }: DeletionTableProps) {
  const { language, nowMs } = visit;
  const texts = deletionTexts[language];
  const { find, list } = activityTexts[language];
  const format = new Intl.NumberFormat(language);
  return (
    <Table
      heading="list-heading"
      columns={[
        { header: find.id },
        { plain: texts.accepted },
        { aside: texts.state },
        { number: texts.jobs },
        { plain: list.by },
      ]}
      rows={deletions.map(({ accountId, id, state, jobCount, acceptedAtMs, removalAtMs, origin }) => [
        <a href={accountPath({ accountId }, `/activity/${id}`)}>
          <ShortId id={id} />
        </a>,
        <Time ms={acceptedAtMs} language={language} />,
        <>
          <StateBadge language={language} state={state} />
          {state === 'waiting' && removalAtMs !== undefined && (
            <>
              {' '}
              (<Time ms={removalAtMs} language={language} nowMs={nowMs} />)
            </>
          )}
        </>,
        format.format(jobCount),
        origin.person || (tokenNames.get(origin.tokenId) ?? <ShortId id={origin.tokenId} />),
      ])}
    />
  );
}

/** Pages appear within 100 ms. A call that examines 2,000 deletions takes up to 20 ms. */
const maxCalls = 3;

/**
 * Returns a page of deletions. An answer of the deleter may have fewer than a page, because it examines a bounded number:
 * then this asks again, a few times. Returns undefined for an invalid page token.
 */
export async function findDeletions(
  deleter: Pick<DeleterCalls, 'listDeletions'>,
  query: DeletionsQuery,
): Promise<DeletionsPage | undefined> {
  const deletions: Deletion[] = [];
  let { pageToken } = query;
  let examinedFromMs: number | undefined;
  for (let call = 0; call < maxCalls; call++) {
    const pageSize = query.pageSize - deletions.length;
    const page = await deleter.listDeletions({ ...query, pageSize, pageToken });
    if (page === undefined) return undefined;
    deletions.push(...page.deletions);
    pageToken = page.nextPageToken;
    examinedFromMs = page.examinedFromMs;
    if (pageToken === undefined || deletions.length >= query.pageSize) break;
  }
  return { deletions, nextPageToken: pageToken, examinedFromMs };
}

interface RefusalTableProps {
  readonly visit: Pick<MemberVisit, 'accountId' | 'language' | 'nowMs'>;
  readonly refusals: readonly RefusalCount[];
  /** The starts of the days that it shows. None, such as for a filter by state: it is left out. */
  readonly days: readonly number[];
}

function RefusalTable({ visit, refusals, days }: RefusalTableProps) {
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
