import type { ComponentChild } from 'preact';
import { isFinal, type Deletion, type DeletionState } from '../deleter/deletion.ts';
import { accountPath } from '../web/account-path.ts';
import type { TokenNames } from '../keys/key-state.ts';
import { CopyIcon } from '../web/copyable.tsx';
import { nameClient } from '../web/describe-browser.ts';
import { FactGrid, type GridFact } from '../web/facts.tsx';
import type { Language } from '../web/language.ts';
import type { Visit } from '../web/route.ts';
import { shortId, Badge, type Tone } from '../web/marks.tsx';
import { formatDistance, formatDuration, formatTime, Time, useTimeZone } from '../web/time.tsx';
import { deletionTexts } from './deletion-texts.ts';
import { activityTexts } from './activity-texts.ts';

interface DeletionProps {
  readonly language: Language;
  readonly deletion: Deletion;
}

interface LifeProps extends DeletionProps, TokenNames {
  readonly nowMs: number;
}

interface DeletionHeadProps extends DeletionProps {
  /** Shows the way to cancel a deletion that waits. */
  readonly mayCancel: boolean;
}

/** The state of a deletion, and what can be done, beside its title. An event of the progress renews it too. */
export function DeletionHead({ language, deletion, mayCancel }: DeletionHeadProps) {
  const { id, state } = deletion;
  return (
    <div class="head" data-live="head">
      <StateBadge language={language} state={state} />
      {mayCancel && state === 'waiting' && (
        <a class="button quiet" href={accountPath(deletion, `/activity/${id}/cancel`)}>
          {deletionTexts[language].cancel}
        </a>
      )}
    </div>
  );
}

/** How far a deletion is. The page replaces it at each event. Only an unfinished one has `data-unfinished`. */
export function Life(props: LifeProps) {
  const { language, deletion } = props;
  const texts = deletionTexts[language];
  const { id } = deletion;
  return (
    <>
      <Timeline {...props} />
      <p class="on-paper">
        {texts.asOf} <Time ms={props.nowMs} language={language} withSeconds />
      </p>
      {!isFinal(deletion) && (
        <>
          <noscript>
            <a href={accountPath(deletion, `/activity/${id}`)}>{texts.reload}</a>
          </noscript>
          <p class="hint" data-unfinished="">
            {texts.live}
          </p>
        </>
      )}
    </>
  );
}

/** Shorter times would round to 0 seconds. */
const shortestMs = 100;

/** What became of the jobs so far. An event of the progress renews it too. */
export function Outcome({ language, deletion }: DeletionProps) {
  const { outcome: texts } = deletionTexts[language];
  const { state, jobCount, keptJobCount, acceptedAtMs, removalAtMs = acceptedAtMs } = deletion;
  const zone = useTimeZone();
  const removed = jobCount - keptJobCount;
  const sentences: Readonly<Record<DeletionState, string>> = {
    waiting: texts.waiting(formatTime(removalAtMs, language, zone)),
    accepted: texts.accepted,
    published: texts.published,
    completed: texts.completed(jobsText(removed, language), removed),
    cancelled: texts.cancelled,
  };
  return (
    <span data-live="outcome">
      {sentences[state]}
      {keptJobCount > 0 && ` ${texts.kept(new Intl.NumberFormat(language).format(keptJobCount))}`}
    </span>
  );
}

/** Returns how long the removal took. */
function durationOf({ acceptedAtMs, removalAtMs, completedAtMs }: Deletion, language: Language) {
  if (completedAtMs === undefined) return undefined;
  const durationMs = Math.max(completedAtMs - (removalAtMs ?? acceptedAtMs), shortestMs);
  return deletionTexts[language].took(formatDuration(durationMs, language));
}

export interface Step {
  readonly name: string;
  /** Undefined: not yet. */
  readonly ms: number | undefined;
  readonly isDone: boolean;
  /** Who did it, or how long it took. */
  readonly note?: ComponentChild;
}

/** The steps of a deletion. */
function Timeline({ language, deletion, nowMs, tokenName, cancellerName }: LifeProps) {
  const texts = deletionTexts[language];
  const { state, acceptedAtMs, removalAtMs, publishedAtMs, completedAtMs, cancelledAtMs, cancelOrigin } =
    deletion;
  const isCancelled = cancelledAtMs !== undefined;
  const { person = '', tokenId = '' } = cancelOrigin ?? {};
  const canceller = person || (cancellerName ?? shortId(tokenId));
  const all: readonly (Step | false)[] = [
    { name: texts.accepted, ms: acceptedAtMs, isDone: true, note: tokenName ?? deletion.origin.person },
    // Once the removal has started, only its start is shown.
    removalAtMs !== undefined &&
      publishedAtMs === undefined &&
      !isCancelled && { name: texts.removal, ms: removalAtMs, isDone: state !== 'waiting' },
    !isCancelled &&
      (publishedAtMs !== undefined || completedAtMs === undefined) && {
        name: texts.published,
        ms: publishedAtMs,
        isDone: publishedAtMs !== undefined,
      },
    isCancelled
      ? {
          name: texts.cancelled,
          ms: cancelledAtMs,
          isDone: true,
          note: canceller || (
            <a href={accountPath(deletion, '/trail?action=cancellation.requested')}>{texts.cancelledBy}</a>
          ),
        }
      : {
          name: texts.completed,
          ms: completedAtMs,
          isDone: completedAtMs !== undefined,
          note: durationOf(deletion, language),
        },
  ];
  return <Steps {...{ language, nowMs }} steps={all.filter((step) => step !== false)} />;
}

interface StepsProps extends Pick<LifeProps, 'language' | 'nowMs'> {
  readonly steps: readonly Step[];
  /** False: nothing has begun the open steps. */
  readonly isUnderWay?: boolean;
}

/** What happens one after the other, each with its exact time. */
export function Steps({ language, nowMs, steps, isUnderWay = true }: StepsProps) {
  const texts = deletionTexts[language];
  const current = isUnderWay ? steps.find(({ isDone }) => !isDone) : undefined;
  return (
    <dl class="timeline">
      {steps.map((step) => (
        <div class={step.isDone ? 'done' : undefined} aria-current={step === current ? 'step' : undefined}>
          <dt>{step.name}</dt>
          <dd>
            {!step.isDone && step.ms !== undefined && step.ms > nowMs && (
              <span class="distance">
                <strong>{formatDistance(step.ms - nowMs, language)}</strong>,{' '}
              </span>
            )}
            {step.ms === undefined ? texts.notYet : <Time ms={step.ms} language={language} withSeconds />}
          </dd>
          {step.note && <dd class="muted">{step.note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Returns the number of jobs of a deletion and its time, which never change. */
export function titleOf(
  { jobCount, acceptedAtMs }: Deletion,
  { language, zone }: Pick<Visit, 'language' | 'zone'>,
): string {
  return deletionTexts[language].titleOf(
    jobsText(jobCount, language),
    formatTime(acceptedAtMs, language, zone),
  );
}

export function jobsText(jobCount: number, language: Language): string {
  const texts = deletionTexts[language];
  return jobCount === 1 ? texts.oneJob : texts.manyJobs(new Intl.NumberFormat(language).format(jobCount));
}

/** A short name such as `shop/1.0` or `Firefox, Linux`. A click on it shows the whole header. */
function Client({ userAgent }: { readonly userAgent: string }) {
  const name = nameClient(userAgent);
  if (name === userAgent) return <>{name}</>;
  return (
    <details>
      <summary title={userAgent}>{name}</summary>
      {userAgent}
    </details>
  );
}

type RequestFactsProps = DeletionProps & Pick<TokenNames, 'tokenName'>;

/** The id of a deletion, and who asked for it. What only a developer needs is folded. */
export function RequestFacts({ language, deletion, tokenName }: RequestFactsProps) {
  const texts = deletionTexts[language];
  const { tokenId, person, webOrigin, userAgent, clientTechnology, requestId, ...origin } = deletion.origin;
  const facts: readonly GridFact[] = [
    [
      <>
        Deletion-Id <CopyIcon text={deletion.id} language={language} />
      </>,
      <code>{deletion.id}</code>,
    ],
    [
      texts.token,
      tokenId !== '' && (
        <a href={accountPath(deletion, `/keys/token/${tokenId}`)}>
          {tokenName === undefined ? tokenId : `${tokenName} (${shortId(tokenId)})`}
        </a>
      ),
      true,
    ],
    [texts.person, person, true],
    [texts.origin, webOrigin !== '' && <code>{webOrigin}</code>],
  ];
  const technical: readonly GridFact[] = [
    [texts.client, userAgent !== '' && <Client userAgent={userAgent.slice(0, 1_000)} />],
    [texts.technology, clientTechnology],
    [texts.language, origin.language],
    [texts.requestId, requestId !== '' && <code>{requestId}</code>],
  ];
  return (
    <>
      <FactGrid facts={facts} />
      {technical.some(([, fact]) => fact) && (
        <details class="others">
          <summary>{texts.technical}</summary>
          <FactGrid facts={technical} />
        </details>
      )}
    </>
  );
}

const tones: Readonly<Record<DeletionState, Tone>> = {
  waiting: 'pending',
  accepted: 'pending',
  published: 'pending',
  completed: 'good',
  cancelled: 'ended',
};

export function StateBadge({
  language,
  state,
}: {
  readonly language: Language;
  readonly state: DeletionState;
}) {
  return <Badge tone={tones[state]} text={activityTexts[language].states[state]} />;
}
