import type { AccountSafety, DeletionLimit } from '../deleter/account-safety.ts';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Language } from '../web/language.ts';
import { createSharedReads, inTime } from '../web/late-value.ts';
import { includesRole, type Route } from '../web/route.ts';
import { Table } from '../web/table.tsx';
import { formatDuration, Time } from '../web/time.tsx';
import { allowRoutes } from './allow-routes.tsx';
import { ruleRoutes } from './rule-routes.tsx';
import { safetyTexts } from './safety-texts.ts';

/** The pages of the rules that protect an account from its own mistakes. Without the deleter, they answer 503. */
export function safetyRoutes(services: Pick<Services, 'accounts' | 'deleter' | 'keys'>): readonly Route[] {
  const share = createSharedReads<number>();
  const countJobs = (accountId: string) => share(accountId, () => services.deleter.countJobs(accountId));
  return [
    {
      method: 'GET',
      path: '/safety',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language, role } = visit;
        const safety = await services.deleter.getSafety(accountId);
        const estimate = await estimateLimit(accountId, safety, countJobs);
        const texts = safetyTexts[language];
        const body = (
          <>
            <p>{texts.intro}</p>
            <section class="setting">
              <div>
                <h2>{texts.limit.heading}</h2>
                <p class="muted">{texts.limit.intro}</p>
              </div>
              <div class="card">
                <Limit language={language} nowMs={visit.nowMs} safety={safety} estimate={estimate} />
                <p class="actions">
                  {includesRole(role, 'manager') && safety.limit !== undefined && (
                    <a class="button quiet" href={accountPath(visit, '/safety/allow')}>
                      {texts.limit.allow}
                    </a>
                  )}
                  {includesRole(role, 'owner') && (
                    <a class="button quiet" href={accountPath(visit, '/safety/limit')}>
                      {texts.limit.change}
                    </a>
                  )}
                </p>
              </div>
            </section>
            <section class="setting">
              <div>
                <h2>{texts.delay.heading}</h2>
                <p class="muted">{texts.delay.intro}</p>
              </div>
              <div class="card">
                <dl>
                  <dt>{texts.delay.delay}</dt>
                  <dd>
                    {safety.removalDelayMs === 0
                      ? texts.delay.none
                      : formatDuration(safety.removalDelayMs, language)}
                  </dd>
                </dl>
                {includesRole(role, 'owner') && (
                  <p class="actions">
                    <a class="button quiet" href={accountPath(visit, '/safety/delay')}>
                      {texts.delay.change}
                    </a>
                  </p>
                )}
              </div>
            </section>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...allowRoutes(services),
    ...ruleRoutes(services),
  ];
}

/**
 * Returns the limit that a share gives with the jobs of the moment. Undefined: the limit is known, or the count takes too long
 * for a page. The deleter counts at the first request.
 */
async function estimateLimit(
  accountId: string,
  { limit, usage, allowances }: AccountSafety,
  countJobs: DeleterCalls['countJobs'],
): Promise<number | undefined> {
  if (limit?.kind !== 'percent' || usage?.limitJobs !== undefined) return undefined;
  const count = await ifAvailable(inTime(countJobs(accountId)));
  if (count === undefined) return undefined;
  const share = Math.floor((count * limit.percent) / 100);
  return allowances.reduce((sum, { jobs }) => sum + jobs, share);
}

interface SafetyProps {
  readonly language: Language;
  readonly nowMs: number;
  readonly safety: AccountSafety;
  readonly estimate: number | undefined;
}

/** The limit, and how much of it is used. The same limit may be lower than what is used: then nothing is free. */
function Limit({ language, nowMs, safety: { limit, usage, allowances }, estimate }: SafetyProps) {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  const uncounted = estimate === undefined ? texts.notCounted : texts.estimate(format(estimate));
  const rows: readonly (readonly [term: string, fact: string])[] =
    limit === undefined || usage === undefined
      ? [[texts.limit, texts.none]]
      : [
          [texts.limit, limitText(limit, language)],
          [texts.now, usage.limitJobs === undefined ? uncounted : format(usage.limitJobs)],
          [texts.used, format(usage.used)],
          ...(usage.held > 0 ? [[texts.held, `${format(usage.held)} (${texts.heldHint})`] as const] : []),
          ...(usage.limitJobs === undefined
            ? []
            : [[texts.free, format(Math.max(0, usage.limitJobs - usage.used - usage.held))] as const]),
        ];
  return (
    <>
      <dl>
        {rows.map(([term, fact]) => (
          <>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </>
        ))}
      </dl>
      {limit !== undefined && allowances.length > 0 && (
        <Allowances language={language} nowMs={nowMs} allowances={allowances} />
      )}
    </>
  );
}

function Allowances({
  language,
  nowMs,
  allowances,
}: Pick<AccountSafety, 'allowances'> & Pick<SafetyProps, 'language' | 'nowMs'>) {
  const { allowances: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return (
    <>
      <h3 id="allowances">{texts.heading}</h3>
      <Table
        heading="allowances"
        columns={[{ header: texts.jobs }, texts.until]}
        rows={allowances.map(({ jobs, untilMs }) => [
          format(jobs),
          <Time ms={untilMs} language={language} nowMs={nowMs} />,
        ])}
        isCompact
      />
    </>
  );
}

function limitText(limit: DeletionLimit, language: Language): string {
  const { limit: texts } = safetyTexts[language];
  const { format } = new Intl.NumberFormat(language);
  return limit.kind === 'jobs' ? texts.jobs(format(limit.jobs)) : texts.percent(format(limit.percent));
}
