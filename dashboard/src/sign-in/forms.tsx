import type { Services } from '../services.ts';
import { signInScript } from '../web/assets.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import type { Visit } from '../web/route.ts';
import { signInTexts } from './sign-in-texts.ts';

interface FormProps {
  readonly visit: Visit;
  /** The target of the form. */
  readonly action: string;
  /** The page after the sign-in. */
  readonly next?: string | undefined;
  readonly problem?: string | undefined;
}

export function NextField({ next }: { readonly next: string | undefined }) {
  return next === undefined ? null : <input type="hidden" name="next" value={next} />;
}

/** Passkeys and the button that shows a password need this script. Every page with one of their forms loads it. */
export function SignInScript() {
  return <script src={signInScript.path} type="module" />;
}

export function ShowPassword({ visit }: Pick<FormProps, 'visit'>) {
  return (
    <button type="button" class="quiet" data-shows="password" aria-pressed="false" hidden>
      {signInTexts[visit.language].show}
    </button>
  );
}

/** Nobody sees it. Password managers store the new password with it. */
export function UsernameField({ email }: { readonly email: string }) {
  return <input type="text" name="email" value={email} autocomplete="username" readonly hidden />;
}

/** Chooses a new password. */
export function NewPasswordForm({ visit, action, problem, email }: FormProps & { readonly email: string }) {
  const texts = signInTexts[visit.language].newPassword;
  return (
    <form method="post" action={action} id="password-form">
      <CsrfField visit={visit} />
      <UsernameField email={email} />
      <TextField
        name="password"
        type="password"
        label={texts.label}
        hint={texts.hint}
        problem={problem}
        autocomplete="new-password"
        required
      />
      <p class="actions">
        <button>{texts.save}</button>
        <ShowPassword visit={visit} />
      </p>
    </form>
  );
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function CodeForm({ visit, action, next, problem }: FormProps) {
  const texts = signInTexts[visit.language].code;
  return (
    <form method="post" action={action} id="totp-form">
      <CsrfField visit={visit} />
      <NextField next={next} />
      <CodeField visit={visit} problem={problem} />
      <button>{texts.confirm}</button>
    </form>
  );
}

export function CodeField({ visit, problem }: Pick<FormProps, 'visit' | 'problem'>) {
  const texts = signInTexts[visit.language].code;
  return (
    <TextField
      name="code"
      label={texts.label}
      hint={texts.hint}
      problem={problem}
      autocomplete="one-time-code"
      required
    />
  );
}

/** Stays hidden without script and in browsers without WebAuthn. */
export function PasskeySignIn({ visit, action, next, problem }: FormProps) {
  const texts = signInTexts[visit.language].passkey;
  return (
    <form
      method="post"
      action={action}
      id="passkey-sign-in"
      data-passkey="get"
      data-options="/sign-in/passkey/options"
      hidden
    >
      <CsrfField visit={visit} />
      <NextField next={next} />
      <PasskeyFields visit={visit} problem={problem} />
      <button>{texts.signIn}</button>
    </form>
  );
}

export function AddPasskey({ visit, action, problem }: FormProps) {
  const texts = signInTexts[visit.language].passkey;
  return (
    <form
      method="post"
      action={action}
      id="add-passkey"
      data-passkey="create"
      data-options="/profile/passkeys/options"
      hidden
    >
      <CsrfField visit={visit} />
      <TextField name="name" label={texts.name} maxLength={60} />
      <PasskeyFields visit={visit} problem={problem} />
      <button>{texts.add}</button>
    </form>
  );
}

function PasskeyFields({ visit, problem }: Pick<FormProps, 'visit' | 'problem'>) {
  const texts = signInTexts[visit.language].passkey;
  return (
    <>
      <input type="hidden" name="response" value="" />
      <p class="hint">{texts.hint}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="problem" role="alert" data-passkey-problem hidden>
        {texts.problem}
      </p>
    </>
  );
}

/** Absent without a provider. A link, because the policy of the pages forbids forms that lead to another site. */
export function OpenIdSignIn({
  openId,
  visit,
  next,
}: Pick<Services, 'openId'> & { readonly visit: Visit; readonly next: string }) {
  if (openId === undefined) return null;
  return (
    <p>
      <a class="button" id="openid-sign-in" href={`/sign-in/openid?next=${encodeURIComponent(next)}`}>
        {signInTexts[visit.language].openId.signIn}
      </a>
    </p>
  );
}
