import { accountOf, accountPath } from './account-path.ts';
import { personPartOf } from './browser-cookie.ts';
import { KeptInput } from './form.tsx';
import { layoutTexts } from './layout-texts.ts';
import type { Refusal, MemberVisit, Reply, Route, Visit } from './route.ts';

/** Returns the input of a form that its route keeps. */
export function keptInput(route: Route, form: URLSearchParams): URLSearchParams {
  const names = 'keeps' in route ? route.keeps : [];
  return new URLSearchParams([...form].filter(([name]) => names.includes(name)));
}

/**
 * Returns the page that keeps the input of a form until the person has signed in, in another tab: no input is stored by the
 * server, and the browser does not need script. Its form can't act: its token proves only whose form it is.
 */
export function keepingPage(visit: Visit, kept: URLSearchParams, refusal?: Refusal): Reply {
  const texts = layoutTexts[visit.language].lateForm;
  const accountId = accountOf(visit.url) ?? '';
  const body = (
    <>
      <p class="warning" role="alert">
        {texts.text}
      </p>
      <ol>
        <li>
          <a href={accountPath({ accountId }, '/sign-in/continue')} target="_blank">
            {texts.signIn}
          </a>
        </li>
        <li>{texts.comeBack}</li>
      </ol>
      <form method="post" action={visit.url}>
        <input type="hidden" name="csrf" value={personPartOf(visit.form.get('csrf') ?? '')} />
        {[...kept].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button>{texts.submit}</button>
      </form>
    </>
  );
  return { kind: 'page', status: 403, title: texts.title, body, refusal };
}

/** Returns the page of a form, with the input of one that came too late. The person sends it again. */
export async function filledPage(page: Route, member: MemberVisit, kept: URLSearchParams): Promise<Reply> {
  const reply = await page.serve({ ...member, query: kept });
  if (reply.kind !== 'page') return reply;
  const body = (
    <KeptInput.Provider value={new Map(kept)}>
      <p class="warning" role="alert">
        {layoutTexts[member.language].lateForm.filledIn}
      </p>
      {reply.body}
    </KeptInput.Provider>
  );
  return { ...reply, status: 422, body };
}
