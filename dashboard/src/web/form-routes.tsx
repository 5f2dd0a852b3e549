import type { Role } from '@jobs-delete/accounts/people/people';
import type { ComponentChildren } from 'preact';
import { Alert, CsrfField } from './form.tsx';
import type { ReplyOf, Route, Serve, Visit } from './route.ts';

export interface FormRoutes {
  readonly path: `/${string}`;
  readonly access: Role;
  /** The fields that survive a new sign-in. */
  readonly keeps?: readonly string[];
  /** Shows the form. */
  readonly page: Serve;
  /** Answers the sent form. */
  readonly submit: Serve;
}

/** Returns the two routes of a form that changes the account. Both ask for a recent sign-in. */
export function formRoutes({ path, access, keeps = [], page, submit }: FormRoutes): readonly Route[] {
  const route = { path, access, recent: true } as const;
  return [
    { ...route, method: 'GET', serve: page },
    { ...route, method: 'POST', keeps, serve: submit },
  ];
}

export interface FormPage {
  readonly title: string;
  /** Default: 422 with a `problem`, else 200. A field with a problem needs it. */
  readonly status?: number;
  /** Above the form. */
  readonly intro?: ComponentChildren;
  /** Why the form was refused, if no field is the cause. At the head of the form. */
  readonly problem?: string | undefined;
  /** The target of the form. */
  readonly action: string;
  /** The content of the form. */
  readonly fields: ComponentChildren;
  /** The label of the button. */
  readonly submit: string;
  /** The effect cannot be undone. */
  readonly isDanger?: boolean;
  /** The link beside the button. */
  readonly back: ComponentChildren;
}

/** Returns a page with one form. */
export function formPage(visit: Pick<Visit, 'csrf'>, page: FormPage): ReplyOf<'page'> {
  const { title, intro, problem, action, fields, submit, isDanger = false, back } = page;
  const { status = problem === undefined ? 200 : 422 } = page;
  const body = (
    <>
      {intro}
      <form method="post" action={action}>
        <CsrfField visit={visit} />
        <Alert problem={problem} />
        {fields}
        <p class="actions">
          <button class={isDanger ? 'danger' : undefined}>{submit}</button>
          {back}
        </p>
      </form>
    </>
  );
  return { kind: 'page', status, title, body };
}
