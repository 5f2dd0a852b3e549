import { refusedRequestRetentionDays, type RefusedRequest } from '@jobs-delete/accounts/refusal-recorder';
import type { ComponentChildren } from 'preact';
import { jobsText } from '../activity/deletion-facts.tsx';
import { findDeletions } from '../activity/find-deletions.ts';
import { ifSoon } from '../deleter/answer-to.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { MemberVisit } from '../web/route.ts';
import { Badge } from '../web/marks.tsx';
import { Time } from '../web/time.tsx';
import { refusedTexts } from '../activity/refused-texts.ts';
import { refusedFromMs } from '../activity/refusals.ts';
import { safetyTexts } from './safety-texts.ts';

const shown = 3;
const limitCode = 'deletion_limit_exceeded';

/** What the rules have stopped lately. */
export interface RuleEffects {
  readonly refused: readonly RefusedRequest[];
  /** Undefined: no api answers in time, or none is found and older ones are not examined. */
  readonly cancelled: readonly Deletion[] | undefined;
}

interface EffectServices {
  readonly accounts: Pick<Services['accounts'], 'listRefusedRequests'>;
  readonly deleter: Pick<Services['deleter'], 'listDeletions'>;
}

export async function readEffects(
  { accounts, deleter }: EffectServices,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<RuleEffects> {
  const fromMs = refusedFromMs(nowMs);
  const [refused, page] = await Promise.all([
    accounts.listRefusedRequests({ accountId, fromMs, code: limitCode, pageSize: shown }),
    ifSoon(findDeletions(deleter, { accountId, state: 'cancelled', pageSize: shown })),
  ]);
  const isIncomplete = page?.deletions.length === 0 && page.nextPageToken !== undefined;
  return { refused, cancelled: isIncomplete ? undefined : page?.deletions };
}

interface RuleProps<Effect> {
  readonly visit: MemberVisit;
  readonly effects: readonly Effect[];
}

/** The latest requests that the limit has refused, also in the sandbox. */
export function RefusedByLimit({ visit, effects }: RuleProps<RefusedRequest>) {
  const { language } = visit;
  const texts = safetyTexts[language];
  const { refused, aRequest } = texts.limit;
  const path = accountPath(visit, `/activity/refused?code=${limitCode}`);
  return (
    <Effects visit={visit} heading={refused(refusedRequestRetentionDays)} all={path} none={texts.noRefusal}>
      {effects.map(({ environment, jobs, atMs }) => (
        <Effect
          visit={visit}
          path={path}
          atMs={atMs}
          mark={environment === 'sandbox' && refusedTexts[language].sandbox}
        >
          {jobs === undefined ? aRequest : jobsText(jobs, language)}
        </Effect>
      ))}
    </Effects>
  );
}

/** The latest deletions that somebody has cancelled in their delay. */
export function CancelledInDelay({ visit, effects }: RuleProps<Deletion>) {
  const { cancelled } = safetyTexts[visit.language].delay;
  return (
    <Effects visit={visit} heading={cancelled} all={accountPath(visit, '/activity?state=cancelled')}>
      {effects.map(({ id, jobCount, acceptedAtMs, cancelledAtMs = acceptedAtMs }) => (
        <Effect visit={visit} path={accountPath(visit, `/activity/${id}`)} atMs={cancelledAtMs}>
          {jobsText(jobCount, visit.language)}
        </Effect>
      ))}
    </Effects>
  );
}

interface EffectsProps {
  readonly visit: MemberVisit;
  readonly heading: string;
  /** The page with all of them. */
  readonly all: string;
  /** Says that there are none. */
  readonly none?: string;
  readonly children: ComponentChildren[];
}

function Effects({ visit, heading, all, none, children }: EffectsProps) {
  const texts = safetyTexts[visit.language];
  if (children.length === 0)
    return (
      <section class="effects">
        <h3>{heading}</h3>
        <p class="muted">{none ?? texts.noEffect}</p>
      </section>
    );
  return (
    <section class="effects">
      <h3>
        {heading} <a href={all}>{texts.allEffects}</a>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface EffectProps {
  readonly visit: MemberVisit;
  readonly path: string;
  readonly atMs: number;
  readonly mark?: string | false;
  readonly children: ComponentChildren;
}

function Effect({ visit: { language, nowMs }, path, atMs, mark, children }: EffectProps) {
  return (
    <li>
      <span>
        <a href={path}>{children}</a> {mark && <Badge tone="neutral" text={mark} />}
      </span>
      <span class="muted">
        <Time ms={atMs} language={language} nowMs={nowMs} />
      </span>
    </li>
  );
}
