import type { ComponentChildren } from 'preact';
import { accountPath } from './account-path.ts';
import { Blank } from './table.tsx';
import { layoutTexts } from './layout-texts.ts';
import type { RefusalCode, ReplyOf, Visit } from './route.ts';

interface Problem {
  readonly status: number;
  /** Default: the request counts as no refusal. */
  readonly refusal?: RefusalCode;
}

const problems = {
  notFound: { status: 404 },
  forbidden: { status: 403 },
  expiredForm: { status: 403, refusal: 'form_refused' },
  badRequest: { status: 400 },
  unavailable: { status: 503 },
  failure: { status: 500 },
  disabled: { status: 403, refusal: 'account_disabled' },
  tooMany: { status: 429, refusal: 'too_many_requests' },
} as const satisfies Readonly<Record<string, Problem>>;

interface ProblemOptions {
  readonly code?: RefusalCode;
  /** The page of the form that was refused. */
  readonly formPath?: string | undefined;
}

/** A page that says why there is no other. */
export function problemPage(
  visit: Pick<Visit, 'language' | 'signedIn'>,
  problem: keyof typeof problems,
  { code, formPath }: ProblemOptions = {},
): ReplyOf<'page'> {
  const { status, refusal = code }: Problem = problems[problem];
  const texts = layoutTexts[visit.language];
  const form = formPath !== undefined && (
    <a class="button" href={formPath}>
      {texts.openForm}
    </a>
  );
  const start = (
    <a
      class={form ? 'button quiet' : 'button'}
      href={visit.signedIn === undefined ? '/' : accountPath(visit.signedIn, '/overview')}
    >
      {texts.start}
    </a>
  );
  const retry = (
    <a class="button quiet" href="">
      {texts.retry}
    </a>
  );
  // The start page of a disabled account is this one.
  const actions = problem === 'disabled' ? undefined : [form, start, status >= 500 && retry];
  return explanationPage({ status, ...texts[problem], actions, refusal });
}

export interface Explanation {
  readonly status: number;
  readonly title: string;
  /** What happened. */
  readonly text: string;
  /** What to do. */
  readonly advice: string;
  /** The ways on. */
  readonly actions: ComponentChildren;
  readonly refusal: RefusalCode | undefined;
}

export function explanationPage({
  status,
  title,
  text,
  advice,
  actions,
  refusal,
}: Explanation): ReplyOf<'page'> {
  const body = (
    <Blank icon="problem" actions={actions}>
      <p>
        <strong>{text}</strong>
      </p>
      <p>{advice}</p>
    </Blank>
  );
  return { kind: 'page', status, title, body, refusal: refusal && { code: refusal } };
}
