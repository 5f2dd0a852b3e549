import type { Credential } from '@jobs-delete/accounts/accounts';
import { dayOf } from '../activity/activity-filter.ts';
import { DeletionTable, findDeletions } from '../activity/list-routes.tsx';
import { firstDayOf, type RecentDays } from '../activity/recent-days.ts';
import { tokenNames } from '../activity/token-names.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { ExpiryWarning } from '../keys/expiry-warning.tsx';
import { isValid } from '../keys/key-state.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { Badge } from '../web/badge.tsx';
import type { Language } from '../web/language.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { overviewTexts } from './overview-texts.ts';

type OverviewServices = Pick<Services, 'accounts' | 'deleter'> & { readonly recentDays: RecentDays };

const latestSize = 5;

/** The first page of an account: figures, first steps and the latest deletions. */
export function overviewRoutes(services: OverviewServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      access: 'viewer',
      serve: (visit) => ({ kind: 'redirect', to: accountPath(visit, '/overview') }),
    },
    { method: 'GET', path: '/overview', access: 'viewer', serve: (visit) => overviewPage(visit, services) },
  ];
}

async function overviewPage(
  visit: MemberVisit,
  { accounts, deleter, recentDays }: OverviewServices,
): Promise<Reply> {
  const { accountId, language, nowMs } = visit;
  const [tokens, secretKeys, domains, refusals, latest, days] = await Promise.all([
    accounts.listCredentials('token', accountId),
    accounts.listCredentials('secret-key', accountId),
    accounts.listDomains(accountId),
    accounts.listRefusals(accountId, dayOf(firstDayOf(nowMs))),
    ifAvailable(findDeletions(deleter, { accountId, pageSize: latestSize })),
    ifAvailable(recentDays.countInTime(accountId, nowMs)),
  ]);
  const keys = [...tokens, ...secretKeys];
  const usable = keys.filter((key) => isValid(key, nowMs));
  const steps: Steps = {
    domain: domains.length > 0,
    token: usable.some(({ kind }) => kind === 'token'),
    'secret-key': usable.some(({ kind }) => kind === 'secret-key'),
    sandbox: tokens.some(({ lastUsedAtMs }) => lastUsedAtMs !== undefined),
    deletion: latest === undefined || latest.deletions.length > 0,
  };
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  const texts = overviewTexts[language];
  const body = (
    <>
      <ExpiryWarning language={language} keys={keys} nowMs={nowMs} />
      {Object.values(steps).includes(false) && <Checklist visit={visit} steps={steps} />}
      <Figures language={language} days={days} refused={refused} />
      <h2 id="list-heading">{texts.latest}</h2>
      <Latest visit={visit} deletions={latest?.deletions} tokens={tokens} />
    </>
  );
  return { kind: 'page', title: texts.title, body };
}

type Step = 'domain' | 'token' | 'secret-key' | 'sandbox' | 'deletion';
type Steps = Readonly<Record<Step, boolean>>;

const stepPaths: Readonly<Record<Step, `/${string}`>> = {
  domain: '/domains',
  token: '/keys/token/new',
  'secret-key': '/keys/secret-key/new',
  sandbox: '/sandbox',
  deletion: '/sandbox',
};

/** The first steps of a new account. The page shows them until each is done. */
function Checklist({ visit, steps }: { readonly visit: MemberVisit; readonly steps: Steps }) {
  const { checklist: texts } = overviewTexts[visit.language];
  const names = Object.keys(stepPaths) as readonly Step[];
  return (
    <section>
      <h2>{texts.heading}</h2>
      <ol class="card steps">
        {names.map((name) => (
          <li>
            <Badge tone={steps[name] ? 'good' : 'pending'} text={steps[name] ? texts.done : texts.open} />
            {steps[name] ? texts[name] : <a href={accountPath(visit, stepPaths[name])}>{texts[name]}</a>}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface FiguresProps {
  readonly language: Language;
  /** Ascending, the last one is today. Undefined while they are still being counted, or no api answers. */
  readonly days: readonly DayCounts[] | undefined;
  readonly refused: number;
}

function Figures({ language, days, refused }: FiguresProps) {
  const texts = overviewTexts[language];
  const number = new Intl.NumberFormat(language);
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const jobsOf = (first: number, end?: number) =>
    number.format((days ?? []).slice(first, end).reduce((sum, { jobsRemoved }) => sum + jobsRemoved, 0));
  const deletions = (days ?? []).reduce((sum, day) => sum + day.deletions, 0);
  const figures =
    days === undefined
      ? [texts.today, texts.week, texts.month].map((name) => [name, '–', texts.counting])
      : [
          [texts.today, jobsOf(-1), texts.yesterday(jobsOf(-2, -1))],
          [texts.week, jobsOf(-7), texts.weekBefore(jobsOf(-14, -7))],
          [texts.month, jobsOf(0), texts.deletions(number.format(deletions))],
        ];
  const requests = refused + deletions;
  const ofAll = days === undefined || requests === 0 ? '' : texts.ofAll(share.format(refused / requests));
  return (
    <ul class="figures">
      {[...figures, [texts.refused, number.format(refused), ofAll]].map(([name, value, comparison]) => (
        <li class="card">
          {name}
          <strong class="figure">{value}</strong>
          <span class="muted">{comparison}</span>
        </li>
      ))}
    </ul>
  );
}

interface LatestProps {
  readonly visit: MemberVisit;
  /** Undefined while no api answers. */
  readonly deletions: readonly Deletion[] | undefined;
  readonly tokens: readonly Credential[];
}

function Latest({ visit, deletions, tokens }: LatestProps) {
  const { language } = visit;
  const texts = overviewTexts[language];
  if (deletions === undefined) return <p>{texts.unavailable}</p>;
  if (deletions.length === 0) return <p>{texts.none}</p>;
  return (
    <>
      <DeletionTable visit={visit} deletions={deletions} tokenNames={tokenNames(tokens)} />
      <p>
        <a href={accountPath(visit, '/activity')}>{texts.all}</a>
      </p>
    </>
  );
}
