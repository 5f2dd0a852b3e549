import type { DayCounter } from '../activity/chart-days.ts';
import type { AccountSafety } from '../deleter/account-safety.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import { includesRole, type Route, type MemberVisit } from '../web/route.ts';
import { formatDuration } from '../web/time.tsx';
import { allowRoutes } from './allow-deletions.tsx';
import { findBusiestDay } from './busiest-day.ts';
import { LimitCard } from './limit-card.tsx';
import { findLimitStart } from './limit-start.ts';
import { RuleCard } from './rule-card.tsx';
import { CancelledInDelay, readEffects, type RuleEffects } from './rule-effects.tsx';
import { ruleRoutes } from './rule-routes.tsx';
import { safetyTexts } from './safety-texts.ts';

/** The pages of the rules that protect an account from its own mistakes. Without the deleter, they answer 503. */
export function safetyRoutes(
  services: Pick<Services, 'accounts' | 'deleter' | 'keys'> & { readonly dayCounter: DayCounter },
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/safety',
      access: 'viewer',
      serve: async (visit) => {
        const { accountId, language } = visit;
        const [safety, count, busiest, start, { refused, cancelled }] = await Promise.all([
          services.deleter.getSafety(accountId),
          ifSoon(services.deleter.countJobs(accountId)),
          ifSoon(findBusiestDay(services.dayCounter, visit)),
          findLimitStart(services, visit),
          readEffects(services, visit),
        ]);
        const texts = safetyTexts[language];
        const body = (
          <>
            <p>
              {texts.intro} {!includesRole(visit.role, 'owner') && texts.onlyOwners}
            </p>
            <div class="columns">
              <LimitCard {...{ visit, safety, count, busiest, start, refused }} />
              <DelayCard {...{ visit, safety, cancelled }} />
            </div>
          </>
        );
        return { kind: 'page', title: texts.title, body };
      },
    },
    ...allowRoutes(services),
    ...ruleRoutes(services),
  ];
}

interface DelayCardProps {
  readonly visit: MemberVisit;
  readonly safety: Pick<AccountSafety, 'removalDelayMs'>;
  readonly cancelled: RuleEffects['cancelled'];
}

/** The delay, and the deletions that were cancelled in it. */
function DelayCard({ visit, safety: { removalDelayMs }, cancelled }: DelayCardProps) {
  const { delay: texts } = safetyTexts[visit.language];
  const hasDelay = removalDelayMs > 0;
  const actions = (
    <>
      {hasDelay && (
        <a class="button quiet" href={accountPath(visit, '/activity?state=waiting')}>
          {texts.waiting}
        </a>
      )}
      {includesRole(visit.role, 'owner') && (
        <a class={hasDelay ? 'button quiet' : 'button'} href={accountPath(visit, '/safety/delay')}>
          {hasDelay ? texts.change : texts.setFirst}
        </a>
      )}
    </>
  );
  return (
    <RuleCard
      {...{ visit, texts, actions }}
      value={hasDelay ? formatDuration(removalDelayMs, visit.language) : undefined}
      effects={cancelled && <CancelledInDelay visit={visit} effects={cancelled} />}
    />
  );
}
