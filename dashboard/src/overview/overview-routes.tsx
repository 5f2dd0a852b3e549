import type { RefusalCount } from '@jobs-delete/accounts/refusal-recorder';
import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { VNode } from 'preact';
import { dayPathOf } from '../activity/activity-filter.ts';
import { chartOf, hasRefusedIn, refusedDaysOf, type DayCounter } from '../activity/chart-days.ts';
import { DayChart, ReservedChart } from '../activity/day-chart.tsx';
import { DeletionTable } from '../activity/deletion-table.tsx';
import { findDeletions } from '../activity/find-deletions.ts';
import { credentialNames, isValid } from '../keys/key-state.ts';
import { ifAvailable, ifSoon } from '../deleter/answer-to.ts';
import type { DeletionsPage } from '../deleter/deleter-calls.ts';
import { ExpiryWarning } from '../keys/expiry-warning.tsx';
import { NoPasskey } from '../profile/profile-page.tsx';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { createSharedReads, inTime } from '../web/late-value.ts';
import { includesRole, type MemberVisit, type Reply, type Route } from '../web/route.ts';
import { Figures, inState, leadFigure, shownDays, type Summary, type SummaryVisit } from './figures.tsx';
import { FindForm, findRoutes } from './find-routes.tsx';
import { Explanation, FirstSteps, type Steps } from './first-steps.tsx';
import { overviewTexts } from './overview-texts.ts';
import { dayOf, firstDayOf } from '../web/time.tsx';

type OverviewServices = Pick<Services, 'accounts' | 'deleter' | 'openId'> & {
  readonly dayCounter: DayCounter;
};

const latestSize = 5;

/** The first page of an account: figures, first steps and the latest deletions. */
export function overviewRoutes(services: OverviewServices): readonly Route[] {
  const share = createSharedReads<Summary>();
  const read: ReadSummary = ({ accountId, nowMs }, readRefusals) =>
    share(accountId, () => summarize(accountId, nowMs, services, readRefusals));
  return [
    {
      method: 'GET',
      path: '/',
      access: 'viewer',
      serve: (visit) => ({ kind: 'redirect', to: accountPath(visit, '/overview') }),
    },
    {
      method: 'GET',
      path: '/overview',
      access: 'viewer',
      serve: (visit) => overviewPage(visit, services, read),
    },
    {
      method: 'GET',
      path: eventsPath,
      access: 'viewer',
      serve: (visit) => ({ kind: 'events', open: () => summaryEvent(visit, services, read) }),
    },
    ...findRoutes(services),
  ];
}

/** Has one event, the summary of a page that did not wait for it. */
const eventsPath = '/overview/events';

async function* summaryEvent(
  visit: MemberVisit,
  { accounts }: OverviewServices,
  read: ReadSummary,
): AsyncGenerator<VNode> {
  const summary = await ifAvailable(read(visit, () => listRefusals(accounts, visit)));
  // The browser connects again.
  if (summary !== undefined) yield <SummaryPart visit={visit} summary={summary} />;
}

type ReadRefusals = () => Promise<readonly RefusalCount[]>;
type ReadSummary = (visit: MemberVisit, readRefusals: ReadRefusals) => Promise<Summary>;

/** Returns the counts of refusals of the days that the overview shows. */
function listRefusals(
  accounts: OverviewServices['accounts'],
  { accountId, nowMs }: MemberVisit,
): Promise<readonly RefusalCount[]> {
  return accounts.listRefusals(accountId, dayOf(firstDayOf(nowMs, shownDays)));
}

async function summarize(
  accountId: string,
  nowMs: number,
  { deleter, dayCounter }: OverviewServices,
  readRefusals: ReadRefusals,
): Promise<Summary> {
  // A deletion waits for at most 30 days. The oldest may have been accepted on the day before those shown.
  const [counts, jobs, refusals] = await Promise.all([
    dayCounter.count({ accountId, firstMs: firstDayOf(nowMs, shownDays + 1), days: shownDays + 1 }),
    deleter.countJobs(accountId),
    readRefusals(),
  ]);
  const waiting = inState(counts.days, 'waiting');
  const days = counts.days.slice(-shownDays);
  return {
    days,
    chart: chartOf({ counts: { ...counts, days }, refusals, nowMs }),
    waiting: { deletions: sumOf(waiting, 'deletions'), jobs: sumOf(waiting, 'jobs') },
    jobs,
    refused: sumOf(refusals, 'count'),
  };
}

async function overviewPage(
  visit: MemberVisit,
  { accounts, deleter, openId }: OverviewServices,
  read: ReadSummary,
): Promise<Reply> {
  const { accountId, language, nowMs } = visit;
  const reading = listRefusals(accounts, visit);
  const [tokens, secretKeys, domains, latest, summary, refusals, safety] = await Promise.all([
    accounts.listCredentials('token', accountId),
    accounts.listCredentials('secret-key', accountId),
    accounts.listDomains(accountId),
    ifAvailable(findDeletions(deleter, { accountId, pageSize: latestSize })),
    ifAvailable(inTime(read(visit, () => reading))),
    reading,
    ifSoon(deleter.getSafety(accountId)),
  ]);
  const keys = [...tokens, ...secretKeys];
  const usable = keys.filter((key) => isValid(key, nowMs) && key.environment === undefined);
  const hasDeletion = latest === undefined || latest.deletions.length > 0;
  const hasJobs = hasDeletion || (await mayHaveJobs(deleter, accountId));
  const steps: Steps = {
    jobs: hasJobs,
    domain: domains.length > 0,
    keys: new Set(usable.map(({ kind }) => kind)).size === 2,
    sandbox: tokens.some(({ lastUsedAtMs }) => lastUsedAtMs !== undefined),
    limit: safety === undefined || safety.limit !== undefined || safety.removalDelayMs > 0,
    deletion: hasDeletion,
  };
  const isEmpty = !hasJobs && refusals.length === 0;
  const texts = overviewTexts[language];
  const firstSteps = <FirstSteps visit={visit} steps={steps} />;
  const body = (
    <>
      {isEmpty ? (
        <div class="sides">
          {firstSteps}
          <Explanation language={language} />
        </div>
      ) : (
        firstSteps
      )}
      <div class="summary">
        {!isEmpty &&
          (summary === undefined ? (
            <LateSummary visit={visit} {...expectChart(nowMs, latest, refusals)} />
          ) : (
            <SummaryPart visit={visit} summary={summary} />
          ))}
        <aside class="card to-do" aria-labelledby="to-do">
          <h2 id="to-do">{texts.toDo}</h2>
          {hasJobs && !steps.limit && <UnprotectedWarning visit={visit} />}
          <ExpiryWarning {...{ language, keys, nowMs, mayChange: includesRole(visit.role, 'manager') }} />
          {openId === undefined && <NoPasskey visit={visit} href={accountPath(visit, '/profile')} />}
        </aside>
      </div>
      {hasDeletion && (
        <div class="heading">
          <h2 id="list-heading">{texts.latest}</h2>
          <a href={accountPath(visit, '/activity')}>{texts.all}</a>
        </div>
      )}
      {latest === undefined && <p>{texts.unavailable}</p>}
      {latest !== undefined && hasDeletion && (
        <DeletionTable visit={visit} deletions={latest.deletions} tokenNames={credentialNames(tokens)} />
      )}
    </>
  );
  const action = hasJobs && <FindForm visit={visit} />;
  return { kind: 'page', title: texts.title, action, body };
}

/** Says that no rule stops a wrong deletion. */
function UnprotectedWarning({ visit }: { readonly visit: MemberVisit }) {
  const { title, text, set, see } = overviewTexts[visit.language].unprotected;
  return (
    <p class="warning">
      <strong>{title}</strong> {text}{' '}
      <a href={accountPath(visit, '/safety')}>{includesRole(visit.role, 'owner') ? set : see}</a>
    </p>
  );
}

/** Resolves to true if the api does not answer in time. */
async function mayHaveJobs(deleter: OverviewServices['deleter'], accountId: string): Promise<boolean> {
  const page = await ifSoon(deleter.listJobs({ accountId, limit: 1 }));
  return page === undefined || page.jobIds.length > 0 || page.next !== undefined;
}

interface ExpectedChart {
  readonly hasChart: boolean;
  readonly hasRefused: boolean;
}

/** Returns what the chart will show, without its counts. */
function expectChart(
  nowMs: number,
  latest: DeletionsPage | undefined,
  refusals: readonly RefusalCount[],
): ExpectedChart {
  const firstMs = firstDayOf(nowMs, shownDays);
  const hasChart = (latest?.deletions[0]?.acceptedAtMs ?? 0) >= firstMs;
  const refusedDays = refusedDaysOf({ firstMs, days: shownDays }, nowMs);
  return { hasChart, hasRefused: hasRefusedIn(refusals, refusedDays) };
}

/** Keeps the place of a summary that is still being counted. The script of the page replaces it. */
export function LateSummary({
  visit,
  hasChart,
  hasRefused,
}: ExpectedChart & { readonly visit: SummaryVisit }) {
  return (
    <div aria-live="polite" data-events={accountPath(visit, eventsPath)}>
      <Figures visit={visit} />
      {hasChart && <ReservedChart {...{ visit, hasRefused }} hasToday lead={leadFigure(visit)} />}
    </div>
  );
}

/** The figures of the account, and its last days as a chart. */
function SummaryPart({ visit, summary }: { readonly visit: SummaryVisit; readonly summary: Summary }) {
  const wasActive = summary.days.some(({ deletions }) => deletions > 0);
  return (
    <>
      <Figures visit={visit} summary={summary} />
      {wasActive && (
        <DayChart
          language={visit.language}
          chart={summary.chart}
          hrefOf={dayPathOf(visit)}
          lead={leadFigure(visit, summary)}
        />
      )}
    </>
  );
}
