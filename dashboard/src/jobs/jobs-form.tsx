import type { ComponentChildren } from 'preact';
import { jobsText } from '../activity/deletion-facts.tsx';
import { accountPath } from '../web/account-path.ts';
import { WithAside } from '../web/aside.tsx';
import { jobsFormScript } from '../web/assets.ts';
import { type Fact, FactGrid } from '../web/facts.tsx';
import { CsrfField, Form } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { jobsFormTexts } from './jobs-form-texts.ts';
import { idsPath } from './sent-ids.ts';

interface JobsFormProps {
  readonly visit: MemberVisit;
  readonly action: string;
  readonly facts: readonly Fact[];
  /** The page of the deletion that the form asks for. */
  readonly deletion?: string | undefined;
  /** The jobs. What the form sends may be in it too. */
  readonly below: ComponentChildren;
  /** The content of the card. */
  readonly children: ComponentChildren;
}

/** A form about jobs: a card with its question, the jobs below it, and facts at the side. */
export function JobsForm({ visit, action, facts, deletion, below, children }: JobsFormProps) {
  const { facts: texts, earlier, accepted } = jobsFormTexts[visit.language];
  return (
    <WithAside aside={{ title: texts.heading, content: <FactGrid facts={facts} /> }}>
      <div>
        <Form method="post" action={action}>
          <div class="card">
            {/* Enter in a field presses the first button of its form. */}
            <button class="skip" tabindex={-1} aria-hidden="true" />
            <CsrfField visit={visit} />
            <script src={jobsFormScript.path} type="module" />
            <div class="warning" data-earlier hidden>
              <p>{earlier.text}</p>
              <button class="quiet" formaction={accountPath(visit, idsPath)}>
                {earlier.again}
              </button>
            </div>
            {deletion !== undefined && (
              <p class="notice" data-accepted hidden>
                {accepted.text} <a href={deletion}>{accepted.open}</a>
              </p>
            )}
            {children}
          </div>
          {below}
        </Form>
      </div>
    </WithAside>
  );
}

/** How many jobs an account has. Undefined: they are not counted. */
export interface JobCounts {
  readonly all?: number | undefined;
  /** Those that wait for deletion already. */
  readonly waiting?: number | undefined;
}

interface Share {
  /** From 0 to 1. */
  readonly share: number;
  /** Rounded down: only all jobs are 100%. */
  readonly percent: string;
  /** The jobs that the share is of. A waiting job is as good as deleted, and is never found. */
  readonly rest: number;
}

/** Returns the share of some jobs in those of the account that do not wait for deletion. Undefined: they are not counted. */
export function shareOf(jobs: number, { all, waiting }: JobCounts, language: string): Share | undefined {
  if (all === undefined) return undefined;
  // Jobs may have come or gone between the counts.
  const rest = Math.max(jobs, all - (waiting ?? 0));
  const percent = new Intl.NumberFormat(language, {
    style: 'percent',
    maximumSignificantDigits: 2,
    roundingMode: 'floor',
  });
  return { share: jobs / rest, percent: percent.format(jobs / rest), rest };
}

/** From this share on, a deletion has a warning. */
export const largeShare = 0.5;
/** From this share on, the warning is a danger: nearly all jobs are at stake. */
const dangerousShare = 0.9;

export function isDangerous(share: Share | undefined): boolean {
  return share !== undefined && share.share >= dangerousShare;
}

/** Returns how many jobs a deletion has, and which share of which jobs. */
export function shareFacts(
  { language }: Pick<MemberVisit, 'language'>,
  jobs: number,
  counts: JobCounts,
): readonly Fact[] {
  const { facts: texts } = jobsFormTexts[language];
  const share = shareOf(jobs, counts, language);
  const { format } = new Intl.NumberFormat(language);
  const of = share && texts.of(share.percent, format(share.rest));
  return [
    [texts.jobs, <strong>{format(jobs)}</strong>],
    [
      counts.waiting ? texts.shareOfRest : texts.share,
      of && (isDangerous(share) ? <strong class="problem">▲ {of}</strong> : of),
    ],
    [texts.left, share && counts.waiting !== undefined && jobsText(share.rest - jobs, language)],
  ];
}
