import { PasskeyContinue } from '../sign-in/forms.tsx';
import type { Services } from '../services.ts';
import { accountOf, accountPath } from './account-path.ts';
import { personPartOf } from './browser-cookie.ts';
import { Alert, Form, KeptInput } from './form.tsx';
import { layoutTexts } from './layout-texts.ts';
import type { MemberVisit, Refusal, Reply, Route, Visit } from './route.ts';

/** Returns the input of a form that its route keeps. */
export function keptInput(route: Route, form: URLSearchParams): URLSearchParams {
  const names = 'keeps' in route ? route.keeps : [];
  return new URLSearchParams([...form].filter(([name]) => names.includes(name)));
}

const lateForm = 'late-form';

/**
 * Returns the page that keeps the input of a form until the person has signed in: by a passkey on this page, or in another tab,
 * which needs no script. No input is stored by the server. Its form can't act: its token proves only whose form it is.
 */
export function keepingPage(
  { openId }: Pick<Services, 'openId'>,
  visit: Visit,
  kept: URLSearchParams,
  refusal?: Refusal,
): Reply {
  const texts = layoutTexts[visit.language].lateForm;
  const accountId = accountOf(visit.url) ?? '';
  // Unknown once the session has ended.
  const passkeys = visit.signedIn?.person.passkeys.length;
  const hasButton = openId !== undefined || passkeys !== 0;
  const needsLink = openId === undefined && !passkeys;
  const token = visit.form.get('csrf') ?? '';
  const personPart = personPartOf(token);
  // The form of this page sends the person part alone. All others send a whole token.
  const isAgain = token === personPart;
  const next = accountPath({ accountId }, '/sign-in/continue');
  const submit = (
    <button class="quiet" form={lateForm}>
      {texts.submit}
    </button>
  );
  const steps = (
    <ol>
      <li>
        {hasButton && (
          <a class="button" href={next} target="_blank">
            {openId === undefined ? texts.passkey : texts.provider}
          </a>
        )}
        {needsLink &&
          (hasButton ? (
            <details>
              <summary>{texts.noPasskey}</summary>
              <p>{texts.link}</p>
            </details>
          ) : (
            <p>{texts.link}</p>
          ))}
      </li>
      <li>
        <p>{texts.comeBack}</p>
        {submit}
      </li>
    </ol>
  );
  const body = (
    <>
      <p class="warning" role="alert">
        {texts.text}
      </p>
      <Form method="post" action={visit.url} id={lateForm} hidden>
        <input type="hidden" name="csrf" value={personPart} />
        {[...kept].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </Form>
      <Alert problem={isAgain ? texts.notYet : undefined} />
      {openId === undefined && hasButton ? (
        <PasskeyContinue
          visit={visit}
          action={
            passkeys === undefined ? '/sign-in/passkey' : accountPath({ accountId }, '/sign-in/again/passkey')
          }
          next={next}
          continues={lateForm}
          button={texts.continue}
          otherwise={steps}
        >
          {needsLink && (
            <details>
              <summary>{texts.noPasskey}</summary>
              <p>{texts.link}</p>
              <p>{texts.comeBack}</p>
              {submit}
            </details>
          )}
        </PasskeyContinue>
      ) : (
        steps
      )}
    </>
  );
  return { kind: 'page', status: 403, title: texts.title, body, refusal };
}

/** Returns the values by their names: a field has those of several boxes on one line each. */
function fieldsOf(kept: URLSearchParams): ReadonlyMap<string, string> {
  return new Map(Array.from(kept.keys(), (name) => [name, kept.getAll(name).join('\n')]));
}

/** Returns the page of a form, with the input of one that came too late. The person sends it again. */
export async function filledPage(page: Route, member: MemberVisit, kept: URLSearchParams): Promise<Reply> {
  const reply = await page.serve({ ...member, query: kept });
  if (reply.kind !== 'page') return reply;
  const body = (
    <KeptInput.Provider value={fieldsOf(kept)}>
      <p class="warning" role="alert">
        {layoutTexts[member.language].lateForm.filledIn}
      </p>
      {reply.body}
    </KeptInput.Provider>
  );
  return { ...reply, status: 422, body };
}
