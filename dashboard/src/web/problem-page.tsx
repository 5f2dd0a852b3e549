import type { Role } from '@jobs-delete/accounts/people/people';
import type { ComponentChildren } from 'preact';
import { peopleTexts } from '../people/people-texts.ts';
import { accountOf, accountPath } from './account-path.ts';
import { sectionAbove } from './layout.tsx';
import { layoutTexts } from './layout-texts.ts';
import { Icon } from './marks.tsx';
import type { RefusalCode, ReplyOf, Visit } from './route.ts';
import { Time } from './time.tsx';

interface Problem {
  readonly status: number;
  /** Default: the request counts as no refusal. */
  readonly refusal?: RefusalCode;
  /** Refused before it could change anything. */
  readonly isUnchanged?: true;
}

const problems = {
  notFound: { status: 404 },
  noDeletion: { status: 404 },
  noKey: { status: 404 },
  forbidden: { status: 403, isUnchanged: true },
  expiredForm: { status: 403, refusal: 'form_refused', isUnchanged: true },
  badRequest: { status: 400, isUnchanged: true },
  unavailable: { status: 503 },
  failure: { status: 500 },
  disabled: { status: 403, refusal: 'account_disabled' },
  tooMany: { status: 429, refusal: 'too_many_requests', isUnchanged: true },
} as const satisfies Readonly<Record<string, Problem>>;

interface ProblemOptions {
  readonly code?: RefusalCode;
  /** The lowest role that may use the page. */
  readonly neededRole?: Role;
  /** The page of the form that was refused. */
  readonly formPath?: string | undefined;
  /** What the log has with the error. */
  readonly reference?: string;
  /** The request that failed was a form, which may have taken effect unless `isUnchanged`. */
  readonly isForm?: boolean;
  /** The request failed before it could change anything. */
  readonly isUnchanged?: boolean;
}

type ProblemVisit = Pick<Visit, 'language' | 'signedIn' | 'url' | 'nowMs'>;

/** A page that says why there is no other. */
export function problemPage(
  visit: ProblemVisit,
  problem: keyof typeof problems,
  options: ProblemOptions = {},
): ReplyOf<'page'> {
  const { code, neededRole, reference, isForm = false } = options;
  const { status, refusal = code, ...known }: Problem = problems[problem];
  const isUnchanged = known.isUnchanged === true || options.isUnchanged === true;
  const mayHaveChanged = isForm && !isUnchanged;
  const { language, signedIn, nowMs } = visit;
  const texts = layoutTexts[language];
  const { roles } = peopleTexts[language];
  const { title, text, advice } = texts[problem];
  return explanationPage({
    status,
    title,
    text:
      neededRole === undefined || signedIn === undefined
        ? text
        : texts.roleMissing(roles[neededRole], roles[signedIn.role]),
    // No GET of an account changes anything. That of a sign-in by OpenID does.
    change: mayHaveChanged
      ? texts.mayHaveChanged
      : isUnchanged || (status >= 500 && accountOf(visit.url) !== undefined)
        ? texts.unchanged
        : undefined,
    // The advice says to try again.
    advice: mayHaveChanged ? undefined : advice,
    reference: reference && (
      <>
        {texts.reference} <code>{reference}</code> (<Time ms={nowMs} language={language} withSeconds />)
      </>
    ),
    // The start page of a disabled account is this one.
    actions: problem === 'disabled' ? undefined : <WaysOn {...{ visit, problem, options }} />,
    refusal,
  });
}

interface WaysOnProps {
  readonly visit: ProblemVisit;
  readonly problem: keyof typeof problems;
  readonly options: ProblemOptions;
}

/** What fits best, and the start page. */
function WaysOn({ visit, problem, options: { formPath, isForm } }: WaysOnProps) {
  const { language, signedIn } = visit;
  const texts = layoutTexts[language];
  const section = problems[problem].status === 404 && signedIn && sectionAbove(visit.url, signedIn);
  // The address of a form leads to its page.
  const again = { href: '', text: isForm ? texts.openForm : texts.retry };
  const best = section
    ? { href: accountPath(signedIn, `/${section}`), text: texts[section] }
    : formPath !== undefined
      ? { href: formPath, text: texts.openForm }
      : problems[problem].status >= 500
        ? again
        : undefined;
  return (
    <>
      {best && (
        <a class="button" href={best.href}>
          {best.text}
        </a>
      )}
      <a
        class={best ? 'button quiet' : 'button'}
        href={signedIn === undefined ? '/' : accountPath(signedIn, '/overview')}
      >
        {texts.start}
      </a>
    </>
  );
}

export interface Explanation {
  readonly status: number;
  readonly title: string;
  /** What happened. */
  readonly text: string;
  /** Whether anything was changed, if that is a question. */
  readonly change?: string | undefined;
  /** What to do. */
  readonly advice?: string | undefined;
  /** What to tell the operator. */
  readonly reference?: ComponentChildren;
  /** The ways on. */
  readonly actions: ComponentChildren;
  readonly refusal: RefusalCode | undefined;
}

export function explanationPage(explanation: Explanation): ReplyOf<'page'> {
  const { status, title, text, change, advice, reference, actions, refusal } = explanation;
  const body = (
    <div class="card explanation">
      <Icon name="problem" />
      <div>
        <p>
          <strong>{text}</strong>
        </p>
        {change && <p>{change}</p>}
        {advice && <p>{advice}</p>}
        {reference && <p class="hint">{reference}</p>}
        {actions && <p class="actions">{actions}</p>}
      </div>
    </div>
  );
  return { kind: 'page', status, title, body, refusal: refusal && { code: refusal } };
}
