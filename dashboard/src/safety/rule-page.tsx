import type { AuditAction } from '@jobs-delete/accounts/people/audit-trail';
import type { ComponentChild, ComponentChildren } from 'preact';
import type { DayCounter } from '../activity/chart-days.ts';
import type { AccountSafety, SafetyChange } from '../deleter/account-safety.ts';
import type { DayCounts } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { accountPath } from '../web/account-path.ts';
import type { Aside } from '../web/aside.tsx';
import { formPage } from '../web/form.tsx';
import { OnceField, openForm } from '../web/form-once.tsx';
import { layoutTexts } from '../web/layout-texts.ts';
import type { Notice } from '../web/notices.ts';
import type { MemberVisit, Reply } from '../web/route.ts';
import { safetyFormTexts } from './safety-form-texts.ts';
import { safetyTexts } from './safety-texts.ts';

export type Needed = Pick<Services, 'accounts' | 'deleter' | 'keys'> & { readonly dayCounter: DayCounter };
type Problem = 'kind' | 'jobs' | 'percent' | 'delay' | 'expired';

/** A rule that an owner changes: its page, what a form sets, and the name of the change in the trail. */
export interface Rule {
  readonly path: '/safety/limit' | '/safety/delay';
  readonly action: AuditAction;
  readonly notice: Notice;
  /** Returns the change, with its text in the trail, or what is wrong with the form. */
  readonly read: (
    form: URLSearchParams,
  ) => { readonly change: SafetyChange; readonly subject: string } | Problem;
  /** Returns the current rule as its text in the trail. */
  readonly current: (safety: AccountSafety) => string;
  readonly page: (
    services: Needed,
    visit: MemberVisit,
    problem?: Problem,
    unconfirmed?: Unconfirmed,
  ) => Promise<Reply>;
}

/** A change that ends the protection, or that stops usual work. */
export type Unconfirmed = {
  /** The change in the trail. */
  readonly subject: string;
} & (
  | { readonly kind: 'ends' }
  /** The jobs of the account are not above the limit. */
  | { readonly kind: 'allows-all'; readonly count: number }
  /** More jobs than the limit were accepted on a day. */
  | { readonly kind: 'below-use'; readonly busiest: DayCounts; readonly most: number }
);

interface RulePage {
  readonly path: Rule['path'];
  /** Of the page and its button. */
  readonly title: string;
  /** The gravest comes first. Empty: no warning. */
  readonly warnings: readonly ComponentChild[];
  /** What the form sends again to confirm the warning. */
  readonly unconfirmed: Unconfirmed | undefined;
  readonly problem: Problem | undefined;
  readonly fields: ComponentChildren;
  readonly aside: Aside;
}

export function rulePage(services: Needed, visit: MemberVisit, page: RulePage): Reply {
  const { path, title, warnings, unconfirmed, problem, fields, aside } = page;
  const [gravest, ...others] = warnings;
  const { back } = safetyTexts[visit.language];
  return formPage(visit, {
    title,
    status: problem === undefined && unconfirmed === undefined ? 200 : 422,
    problem: problem === 'expired' ? layoutTexts[visit.language].formEnded : undefined,
    action: accountPath(visit, path),
    fields: (
      <>
        <OnceField once={openForm(services, visit)} />
        {gravest && (
          <div class={unconfirmed ? 'warning danger' : 'warning'} role={unconfirmed && 'alert'}>
            <p>{gravest}</p>
            {others.length > 0 && (
              <ul>
                {others.map((other) => (
                  <li>{other}</li>
                ))}
              </ul>
            )}
          </div>
        )}
        {unconfirmed && <input type="hidden" name="anyway" value={unconfirmed.subject} />}
        {fields}
      </>
    ),
    submit: unconfirmed ? safetyFormTexts[visit.language].saveAnyway : title,
    back: <a href={accountPath(visit, '/safety')}>{back}</a>,
    aside,
  });
}
