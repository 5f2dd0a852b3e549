import type { ComponentChildren } from 'preact';
import { accountPath } from './account-path.ts';
import { Blank } from './blank.tsx';
import { layoutTexts } from './layout-texts.ts';
import type { RefusalCode, Reply, Visit } from './route.ts';

/** A page that says why there is no other. */
export function problemPage(
  visit: Pick<Visit, 'language' | 'signedIn'>,
  status: number,
  problem:
    | 'notFound'
    | 'forbidden'
    | 'expiredForm'
    | 'badRequest'
    | 'unavailable'
    | 'failure'
    | 'disabled'
    | 'tooMany',
  refusal?: RefusalCode,
): Reply {
  const texts = layoutTexts[visit.language];
  const start = (
    <a class="button" href={visit.signedIn === undefined ? '/' : accountPath(visit.signedIn, '/overview')}>
      {texts.start}
    </a>
  );
  const retry = (
    <a class="button quiet" href="">
      {texts.retry}
    </a>
  );
  // The start page of a disabled account is this one.
  const actions = problem === 'disabled' ? undefined : [start, status >= 500 && retry];
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

export function explanationPage({ status, title, text, advice, actions, refusal }: Explanation): Reply {
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
