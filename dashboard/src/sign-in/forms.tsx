import type { ComponentChildren } from 'preact';
import { signInScript } from '../web/assets.ts';
import { Alert, CsrfField, Form, TextField } from '../web/form.tsx';
import type { Reply, Visit } from '../web/route.ts';
import { defaultName } from './passkeys.ts';
import { signInTexts } from './sign-in-texts.ts';

interface PasskeyFormProps {
  readonly visit: Visit;
  /** The target of the form. */
  readonly action: string;
  readonly problem?: string | undefined;
}

/** Passkeys need this script. Every page with one of their forms loads it. */
export function SignInScript() {
  return <script src={signInScript.path} type="module" />;
}

/**
 * Returns a page with a form of a passkey.
 * @param problem why the last passkey was refused
 */
export function passkeyPage(title: string, content: ComponentChildren, problem: string | undefined): Reply {
  const body = (
    <>
      {content}
      <SignInScript />
    </>
  );
  if (problem === undefined) return { kind: 'page', title, body };
  return { kind: 'page', status: 422, title, body, refusal: { code: 'passkey_refused' } };
}

interface PasskeySignInProps extends PasskeyFormProps {
  readonly next: string;
  /** The link beside the button. */
  readonly cancel?: ComponentChildren;
}

/** Proves who somebody is by a passkey. */
export function PasskeySignIn({ next, cancel, ...props }: PasskeySignInProps) {
  const button = <button>{signInTexts[props.visit.language].passkey.signIn}</button>;
  return (
    <PasskeyForm {...props} id="passkey-sign-in" ceremony="get" options="/sign-in/passkey/options">
      <input type="hidden" name="next" value={next} />
      {cancel === undefined ? (
        button
      ) : (
        <p class="actions">
          {button}
          {cancel}
        </p>
      )}
    </PasskeyForm>
  );
}

interface PasskeyContinueProps extends Omit<PasskeyFormProps, 'problem'> {
  /** A page that asks for the sign-in. */
  readonly next: string;
  /** The id of the form that the script sends after the sign-in. */
  readonly continues: string;
  readonly button: string;
  /** In view without script. */
  readonly otherwise: ComponentChildren;
  /** Below the button. */
  readonly children: ComponentChildren;
}

/** Signs in by a passkey without leaving the page, then sends a form of the page. */
export function PasskeyContinue({ next, button, children, ...props }: PasskeyContinueProps) {
  return (
    <>
      <PasskeyForm {...props} id="passkey-continue" ceremony="get" options="/sign-in/passkey/options">
        <input type="hidden" name="next" value={next} />
        <p class="actions">
          <button>{button}</button>
        </p>
        {children}
      </PasskeyForm>
      <SignInScript />
    </>
  );
}

/** Creates a passkey. */
export function NewPasskey({
  options,
  button,
  ...props
}: PasskeyFormProps & { readonly options: string; readonly button: string }) {
  const texts = signInTexts[props.visit.language].passkey;
  return (
    <PasskeyForm {...props} id="add-passkey" ceremony="create" options={options}>
      <TextField name="name" label={texts.name} value={defaultName(props.visit)} maxLength={100} />
      <button>{button}</button>
    </PasskeyForm>
  );
}

/** Without script and in browsers without WebAuthn, the warning or `otherwise` stays and the form is hidden. */
function PasskeyForm({
  visit,
  action,
  problem,
  id,
  ceremony,
  options,
  continues,
  otherwise,
  children,
}: PasskeyFormProps & {
  readonly id: string;
  readonly ceremony: 'get' | 'create';
  readonly options: string;
  readonly continues?: string;
  readonly otherwise?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const texts = signInTexts[visit.language].passkey;
  return (
    <>
      {otherwise ?? (
        <p class="warning" data-passkey-missing>
          {texts.needsScript}
        </p>
      )}
      <Form
        method="post"
        action={action}
        id={id}
        data-passkey={ceremony}
        data-options={options}
        data-continues={continues}
        hidden
      >
        <CsrfField visit={visit} />
        <input type="hidden" name="response" value="" />
        <Alert problem={problem} />
        <p class="problem" role="alert" data-passkey-problem hidden>
          {texts.problem}
        </p>
        <p class="problem" role="alert" data-passkey-exists hidden>
          {texts.exists}
        </p>
        {children}
        <p class="hint">{texts.hint}</p>
      </Form>
    </>
  );
}

/** A link, because the policy of the pages forbids forms that lead to another site. */
export function OpenIdSignIn({
  visit,
  query,
}: {
  readonly visit: Visit;
  readonly query: Readonly<Record<string, string>>;
}) {
  return (
    <p>
      <a class="button" id="openid-sign-in" href={`/sign-in/openid?${new URLSearchParams(query).toString()}`}>
        {signInTexts[visit.language].openId.signIn}
      </a>
    </p>
  );
}
