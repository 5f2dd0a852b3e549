import type { Services } from '../services.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import type { Refusal } from '../web/refusal.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import {
  CodeField,
  NextField,
  OpenIdSignIn,
  PasskeySignIn,
  ShowPassword,
  SignInScript,
  UsernameField,
} from './forms.tsx';
import { marksWith, openSession } from './open-session.ts';
import type { Proofs } from './proof/check-proof.ts';
import { hasMethod } from './proof/methods.ts';
import type { Passkeys } from './proof/passkeys.ts';
import { nextOf, problemOf, refusalOf } from './sign-in-routes.tsx';
import { signInTexts } from './sign-in-texts.ts';

/** A member proves again who they are, before a change of keys, people or sign-in methods. */
export function againRoutes(services: Services, proofs: Proofs, passkeys: Passkeys): readonly Route[] {
  const context = { passkeys, openId: services.openId };
  return [
    { method: 'GET', path: '/sign-in/again', access: 'viewer', serve: (visit) => againPage(context, visit) },
    {
      method: 'POST',
      path: '/sign-in/again',
      access: 'viewer',
      serve: async (visit) => {
        const { person, form, language } = visit;
        const password = await proofs.checkPassword(visit, person.email, person, form.get('password') ?? '');
        if (password.kind === 'blocked')
          return againPage(context, visit, {
            status: 429,
            password: problemOf(visit, password),
            refusal: refusalOf(password, 'password_wrong', person),
          });
        if (password.kind === 'wrong')
          return againPage(context, visit, {
            status: 422,
            password: signInTexts[language].again.wrong,
            refusal: refusalOf(password, 'password_wrong', person),
          });
        if (person.totp === undefined) return proven(services, visit);
        const code = await proofs.checkCode(visit, person, form.get('code') ?? '');
        if (code.kind === 'right') return proven(services, visit);
        const refusal = refusalOf(code, 'code_wrong', person);
        return code.kind === 'blocked'
          ? againPage(context, visit, { status: 429, code: problemOf(visit, code), refusal })
          : againPage(context, visit, { status: 422, code: signInTexts[language].code.wrong, refusal });
      },
    },
    {
      method: 'POST',
      path: '/sign-in/again/passkey',
      access: 'viewer',
      serve: async (visit) => {
        const proved = await passkeys.authenticate(visit, visit.form.get('response') ?? '');
        if (proved?.id === visit.person.id) return proven(services, visit);
        const { refused } = signInTexts[visit.language].passkey;
        return againPage(context, visit, {
          status: 422,
          passkey: refused,
          refusal: { code: 'passkey_refused' },
        });
      },
    },
  ];
}

/** Replaces the session, so an older copy of its secret does not count as proven. */
async function proven(services: Services, visit: MemberVisit): Promise<Reply> {
  const { accountId, person } = visit;
  const session = await openSession(services, visit, person, { accountId, stage: 'signed-in' });
  return { kind: 'redirect', to: nextOf(visit), session, browserMarks: marksWith(services, visit, person) };
}

interface Problems {
  readonly status?: number;
  readonly password?: string;
  readonly code?: string;
  readonly passkey?: string;
  readonly refusal?: Refusal;
}

interface AgainContext extends Pick<Services, 'openId'> {
  readonly passkeys: Passkeys;
}

function againPage({ passkeys, openId }: AgainContext, visit: MemberVisit, problems: Problems = {}): Reply {
  const { person } = visit;
  const texts = signInTexts[visit.language];
  const next = nextOf(visit);
  const body =
    hasMethod(person) || openId !== undefined ? (
      <>
        <p>{texts.again.text}</p>
        {passkeys.areAvailable && person.passkeys.length > 0 && (
          <PasskeySignIn
            visit={visit}
            action="/sign-in/again/passkey"
            next={next}
            problem={problems.passkey}
          />
        )}
        {person.passwordHash !== undefined && <PasswordAgain visit={visit} next={next} problems={problems} />}
        <OpenIdSignIn openId={openId} visit={visit} next={next} />
        <SignInScript />
      </>
    ) : (
      <>
        <p>{texts.again.noMethod}</p>
        <a class="button" href="/profile">
          {texts.again.profile}
        </a>
      </>
    );
  const { status = 200, refusal } = problems;
  return { kind: 'page', status, title: texts.again.title, body, refusal };
}

interface PasswordAgainProps {
  readonly visit: MemberVisit;
  readonly next: string;
  readonly problems: Problems;
}

function PasswordAgain({ visit, next, problems }: PasswordAgainProps) {
  const texts = signInTexts[visit.language];
  return (
    <form method="post" action="/sign-in/again" id="password-form">
      <CsrfField visit={visit} />
      <NextField next={next} />
      <UsernameField email={visit.person.email} />
      <TextField
        name="password"
        type="password"
        label={texts.password}
        problem={problems.password}
        autocomplete="current-password"
        required
      />
      {visit.person.totp !== undefined && <CodeField visit={visit} problem={problems.code} />}
      <p class="actions">
        <button>{texts.again.confirm}</button>
        <ShowPassword visit={visit} />
      </p>
    </form>
  );
}
