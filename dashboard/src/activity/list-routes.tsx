import type { Credential } from '@jobs-delete/accounts/accounts';
import { isDeletionId } from '@jobs-delete/proto/ids';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { countWaiting } from '../jobs/waiting-jobs.ts';
import { accountPath } from '../web/account-path.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { lastOf, pathsOf, PlaceLinks, type Places, readPlaces } from '../web/places.tsx';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { shortId } from '../web/marks.tsx';
import { ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import { inTime } from '../web/late-value.ts';
import { Blank } from '../web/table.tsx';
import { dayMs, dayOf, firstDayOf } from '../web/time.tsx';
import {
  type ActivityFilter,
  chartDaysOf,
  filterProblems,
  filterQuery,
  isOfAll,
  rangeOf,
  readFilter,
  withPeriod,
} from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import { hasRefusedIn, readChart, refusedDaysOf, type DayCounter } from './chart-days.ts';
import { chartLinksOf, DayChart, LateDayChart } from './day-chart.tsx';
import { readDayOrder } from './day-table.tsx';
import { jobsText, StateBadge } from './deletion-facts.tsx';
import { DeletionTable } from './deletion-table.tsx';
import { Choices, type Search, Tools } from './filter-form.tsx';
import { type DeletionsWithId, findByIdPart, findDeletions, readIdPart } from './find-deletions.ts';
import { refusedTexts } from './refused-texts.ts';
import { credentialNames } from '../keys/key-state.ts';
import { RefusalTable } from './refusal-table.tsx';

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
        const text = (visit.query.get('id') ?? '').slice(0, 100).trim();
        return text === '' ? listPage(visit, services) : search(visit, services, text);
      },
    },
  ];
}

/** Leads to the deletion whose id is searched, lists several, or says that there is none. */
async function search(visit: MemberVisit, services: ListServices, text: string): Promise<Reply> {
  const { accountId, language } = visit;
  const { deleter } = services;
  const { find: texts } = activityTexts[language];
  const id = text.toLowerCase();
  const pathOf = (found: string) => accountPath(visit, `/activity/${found}`);
  const none = (problem: string) => listPage(visit, services, { text, problem });
  if (isDeletionId(id))
    return (await deleter.getDeletion(accountId, id)) === undefined
      ? none(texts.unknown)
      : { kind: 'redirect', to: pathOf(id) };
  const part = readIdPart(text);
  if (part === undefined) return none(/^[\da-f-]{1,9}$/.test(id) ? texts.tooShort : texts.unknown);
  const found = await findByIdPart(deleter, accountId, part);
  const [only, second] = found.deletions;
  if (only === undefined) return none(found.isPartial ? texts.tooMany : texts.noneLike);
  if (second === undefined && !found.isPartial) return { kind: 'redirect', to: pathOf(only.id) };
  return foundPage(visit, services, { text, found });
}

/** The deletions that a part of an id fits. */
async function foundPage(
  visit: MemberVisit,
  { accounts }: ListServices,
  { text, found: { deletions, isPartial } }: { readonly text: string; readonly found: DeletionsWithId },
): Promise<Reply> {
  const { accountId, language, nowMs, query } = visit;
  const { title, find: texts } = activityTexts[language];
  const tokens = await accounts.listCredentials('token', accountId);
  const filter = withPeriod(readFilter(query), nowMs);
  const shown = deletions.slice(0, pageSize);
  const body = (
    <>
      <Tools {...{ visit, filter, tokens }} problems={{}} search={{ text }} />
      <section>
        <h2 id="list-heading">{texts.several(text)}</h2>
        <DeletionTable visit={visit} deletions={shown} tokenNames={credentialNames(tokens)} />
        {(isPartial || shown.length < deletions.length) && <p>{texts.more}</p>}
      </section>
    </>
  );
  return { kind: 'page', title, body };
}

async function listPage(visit: MemberVisit, services: ListServices, searched?: Search): Promise<Reply> {
  const { accountId, language, nowMs, query } = visit;
  const { accounts, deleter } = services;
  const filter = withPeriod(readFilter(query), nowMs);
  const problems = filterProblems(filter);
  const isValid = Object.keys(problems).length === 0;
  const places = readPlaces(query, () => true);
  const pageToken = lastOf(places).after || undefined;
  const days = chartDaysOf(filter, nowMs);
  const order = readDayOrder(query);
  const reads = {
    tokens: accounts.listCredentials('token', accountId),
    refusals: accounts.listRefusals(accountId, dayOf(days.firstMs)),
  };
  const [page, chart, waiting, refusals, tokens] = await Promise.all([
    isValid ? findDeletions(deleter, { accountId, pageSize, pageToken, ...rangeOf(filter) }) : emptyPage,
    isValid ? ifAvailable(inTime(readChart(services, visit, filter, reads))) : undefined,
    isValid && isOfAll(filter) ? ifSoon(countWaiting(services, visit)) : noneWaiting,
    reads.refusals,
    reads.tokens,
  ]);
  // An address from a bookmark may have the page of a deletion that has expired.
  if (page === undefined)
    return { kind: 'redirect', to: accountPath(visit, `/activity${filterQuery(readFilter(query))}`) };

  const texts = activityTexts[language];
  const { tokenId } = filter;
  const refusedDays = isValid && isOfAll(filter) ? refusedDaysOf(days, nowMs) : [];
  const hasRefused = hasRefusedIn(refusals, refusedDays);
  const isEmpty = page.deletions.length === 0 && (page.nextPageToken ?? '') === '' && pageToken === undefined;
  // A chart of zeros would only push the list down.
  const isCharted = isValid && (hasRefused || !isEmpty);
  const hasToday = days.firstMs + (days.days - 1) * dayMs === firstDayOf(nowMs, 1);
  const isUnused =
    isEmpty &&
    query.size === 0 &&
    (await findDeletions(deleter, { accountId, pageSize: 1 }))?.deletions.length === 0;
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
      <Tools {...{ visit, filter, problems, tokens, search: searched }} />
      {waiting?.deletions !== 0 && (
        <p>
          <StateBadge language={language} state="waiting" />{' '}
          {waiting === undefined
            ? layoutTexts[language].uncounted
            : texts.list.waiting(waiting.deletions, jobsText(waiting.jobs, language))}{' '}
          <a href={accountPath(visit, '/activity?state=waiting')}>{texts.list.seeWaiting}</a>
        </p>
      )}
      {isCharted && chart !== undefined && (
        <DayChart {...{ language, chart, order }} {...chartLinksOf(visit, filter)} />
      )}
      {isCharted && chart === undefined && (
        <LateDayChart range={days} {...{ visit, filter, order, hasToday, hasRefused }} />
      )}
      {isCharted && tokenId !== '' && (
        <p class="muted">{texts.chart.filtered(credentialNames(tokens).get(tokenId) ?? shortId(tokenId))}</p>
      )}
      {isValid && <Deletions {...{ visit, filter, page, tokens, places }} />}
      <RefusalTable visit={visit} refusals={refusals} days={refusedDays} />
    </>
  );
  return { kind: 'page', status: isValid && searched === undefined ? 200 : 422, title: texts.title, body };
}

const noneWaiting = { deletions: 0, jobs: 0 };
const emptyPage: DeletionsPage = { deletions: [], nextPageToken: undefined };

interface DeletionsProps {
  readonly visit: MemberVisit;
  readonly filter: ActivityFilter;
  readonly page: DeletionsPage;
  readonly tokens: readonly Credential[];
  readonly places: Places;
}

function Deletions({ visit, filter, page, tokens, places }: DeletionsProps) {
  const { language } = visit;
  const { list: texts } = activityTexts[language];
  const { deletions, nextPageToken } = page;
  const to = pathsOf(places, {
    count: deletions.length,
    next: nextPageToken,
    pathOf: (pages) => accountPath(visit, `/activity${filterQuery(filter, { pages })}`),
  });
  return (
    <section>
      <div class="heading">
        <h2 id="list-heading">{texts.heading}</h2>
        <Choices {...{ visit, filter, tokens }} />
        <a href={accountPath(visit, `/activity/export.csv${filterQuery(filter)}`)}>{texts.export}</a>
      </div>
      {deletions.length === 0 ? (
        <p>
          {nextPageToken !== undefined ? texts.noneHere : isOfAll(filter) ? texts.noneOfPeriod : texts.none}
        </p>
      ) : (
        <DeletionTable visit={visit} deletions={deletions} tokenNames={credentialNames(tokens)} />
      )}
      <PlaceLinks to={to} texts={texts} />
    </section>
  );
}
