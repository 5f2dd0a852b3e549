import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import { findDeletions } from '../activity/find-deletions.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import { waitingDays } from '../jobs/waiting-jobs.ts';
import { accountPath } from '../web/account-path.ts';
import { StepList } from '../web/aside.tsx';
import { SelectField } from '../web/form.tsx';
import { dayMs, firstDayOf, formatDuration } from '../web/time.tsx';
import { rulePage, type Rule } from './rule-page.tsx';
import { safetyFormTexts } from './safety-form-texts.ts';
import { safetyTexts } from './safety-texts.ts';

const maxDelayMs = 30 * dayMs;
const recommendedDelay = '24h';
const delays = ['off', '1h', '4h', recommendedDelay, '3d', '7d', '30d'];

export const delayRule: Rule = {
  path: '/safety/delay',
  action: 'delay.changed',
  notice: 'delay-changed',
  read: (form) => {
    const subject = form.get('delay') ?? '';
    const removalDelayMs = delayOf(subject);
    if (removalDelayMs === undefined || removalDelayMs > maxDelayMs) return 'delay';
    return { change: { removalDelayMs }, subject };
  },
  current: ({ removalDelayMs }) => delayInTrail(removalDelayMs),
  page: async (services, visit, problem, unconfirmed) => {
    const { delayPage: texts, problems } = safetyFormTexts[visit.language];
    const { delay } = safetyTexts[visit.language];
    const [{ removalDelayMs }, waiting] = await Promise.all([
      services.deleter.getSafety(visit.accountId),
      ifSoon(
        findDeletions(services.deleter, {
          accountId: visit.accountId,
          state: 'waiting',
          acceptedFromMs: firstDayOf(visit.nowMs, waitingDays),
          pageSize: 100,
        }),
      ),
    ]);
    const current = delayInTrail(removalDelayMs);
    const options = [...(delays.includes(current) ? [] : [current]), ...delays].map((value) => {
      const ms = delayOf(value) ?? 0;
      return { value, text: ms === 0 ? delay.none : formatDuration(ms, visit.language) };
    });
    const fields = (
      <SelectField
        name="delay"
        label={texts.delay}
        // The first delay only adds protection.
        hint={removalDelayMs > 0 ? `${delay.recommended} ${texts.scope}` : delay.recommended}
        problem={problem === 'delay' ? problems.delay : undefined}
        options={options}
        value={visit.form.get('delay') ?? (removalDelayMs === 0 ? recommendedDelay : current)}
      />
    );
    return rulePage(services, visit, {
      path: delayRule.path,
      title: removalDelayMs === 0 ? delay.setFirst : delay.change,
      warnings: unconfirmed ? [texts.noneWarning] : [],
      unconfirmed,
      problem,
      fields,
      aside: {
        title: texts.effect,
        content: (
          <>
            <StepList steps={texts.steps} />
            <p>
              <a href={accountPath(visit, '/activity?state=waiting')}>{delay.waiting}</a>
              {waiting && `: ${String(waiting.deletions.length)}${waiting.nextPageToken ? '+' : ''}`}
            </p>
          </>
        ),
      },
    });
  },
};

/** The command line sets other delays than `delays` too. */
function delayInTrail(removalDelayMs: number): string {
  const known = delays.find((delay) => delayOf(delay) === removalDelayMs);
  return known ?? `${String(Math.round(removalDelayMs / 1_000))}s`;
}

function delayOf(text: string): number | undefined {
  return text === 'off' ? 0 : parseDuration(text);
}
