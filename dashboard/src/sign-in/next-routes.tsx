import { membershipOf } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import type { Refusal } from '../web/refusal.ts';
import type { Reply, Route, SessionVisit } from '../web/route.ts';
import { AddPasskey, CodeForm, NewPasswordForm, OpenIdSignIn, SignInScript } from './forms.tsx';
import { completeSignIn, type SignIn } from './open-session.ts';
import type { Proofs } from './proof/check-proof.ts';
import { mayEnrol } from './proof/methods.ts';
import { namesOf, passwordProblem } from './proof/password-rules.ts';
import { passkeyName, type Passkeys } from './proof/passkeys.ts';
import { recordForPerson } from './record-for-person.ts';
import { nextOf, problemOf, refusalOf } from './sign-in-routes.tsx';
import { signInTexts } from './sign-in-texts.ts';

/** What a session lacks before it opens the pages: a second factor, or the choice of a method. */
export function nextRoutes(services: Services, proofs: Proofs, passkeys: Passkeys): readonly Route[] {
  const { accounts, openId } = services;
  const context = { passkeys, openId };
  return [
    { method: 'GET', path: '/sign-in/next', access: 'session', serve: (visit) => nextPage(context, visit) },
    {
      method: 'POST',
      path: '/sign-in/next/code',
      access: 'session',
      serve: async (visit) => {
        if (visit.session.stage !== 'second-factor') return elsewhere;
        const outcome = await proofs.checkCode(visit, visit.person, visit.form.get('code') ?? '');
        if (outcome.kind === 'right') return finish(services, visit, codeMethod(visit));
        const { code } = signInTexts[visit.language];
        const refusal = refusalOf(outcome, 'code_wrong', visit.person);
        return outcome.kind === 'blocked'
          ? nextPage(context, visit, 429, { code: problemOf(visit, outcome), refusal })
          : nextPage(context, visit, 422, { code: code.wrong, refusal });
      },
    },
    {
      method: 'POST',
      path: '/sign-in/next/password',
      access: 'session',
      serve: async (visit) => {
        if (!isEnrolling(visit)) return elsewhere;
        const { person, form, language } = visit;
        const password = form.get('password') ?? '';
        const problem = await passwordProblem(password, namesOf(person));
        if (problem !== undefined) {
          const text = signInTexts[language].newPassword.problems[problem];
          return nextPage(context, visit, 422, { password: text });
        }
        await accounts.setPassword(person.id, await proofs.passwords.hash(password));
        await recordForPerson(accounts, visit, person, 'password.changed');
        return finish(services, visit, 'link');
      },
    },
    {
      method: 'POST',
      path: '/sign-in/next/passkey',
      access: 'session',
      serve: async (visit) => {
        if (!isEnrolling(visit)) return elsewhere;
        const { person, form, language } = visit;
        const name = passkeyName(visit);
        if ((await passkeys.add(visit, person, form.get('response') ?? '', name)) !== 'added')
          return nextPage(context, visit, 422, {
            passkey: signInTexts[language].passkey.refused,
            refusal: { code: 'passkey_refused' },
          });
        await recordForPerson(accounts, visit, person, 'passkey.added', name);
        return finish(services, visit, 'link');
      },
    },
  ];
}

/** The session has another stage, or the person has chosen a method in another browser meanwhile. */
const elsewhere: Reply = { kind: 'redirect', to: '/sign-in/next' };

function isEnrolling({ session, person }: SessionVisit): boolean {
  return session.stage === 'enrolling' && mayEnrol(person, session.accountId);
}

/** A code of an app has 6 digits, and a recovery code has letters too. */
function codeMethod({ form }: SessionVisit): SignIn['method'] {
  const isOfApp = /^\d{6}$/.test((form.get('code') ?? '').replace(/\s/g, ''));
  return isOfApp ? 'password and code' : 'password and recovery code';
}

function finish(services: Services, visit: SessionVisit, method: SignIn['method']): Promise<Reply> {
  const { accountId } = visit.session;
  return completeSignIn(services, visit, visit.person, { accountId, to: nextOf(visit), method });
}

interface Problems {
  readonly code?: string;
  readonly password?: string;
  readonly passkey?: string;
  readonly refusal?: Refusal;
}

interface NextContext extends Pick<Services, 'openId'> {
  readonly passkeys: Passkeys;
}

function nextPage(context: NextContext, visit: SessionVisit, status = 200, problems: Problems = {}): Reply {
  const texts = signInTexts[visit.language];
  switch (visit.session.stage) {
    case 'signed-in':
      return { kind: 'redirect', to: nextOf(visit) };
    case 'second-factor':
      return {
        kind: 'page',
        status,
        title: texts.code.title,
        refusal: problems.refusal,
        body: (
          <CodeForm visit={visit} action="/sign-in/next/code" next={nextOf(visit)} problem={problems.code} />
        ),
      };
    case 'enrolling':
      // The sign-in page replaces the session.
      if (!isEnrolling(visit)) return { kind: 'redirect', to: '/sign-in' };
      return {
        kind: 'page',
        status,
        title: texts.enrol.title,
        body: enrolment(context, visit, problems),
        refusal: problems.refusal,
      };
  }
}

function enrolment({ passkeys, openId }: NextContext, visit: SessionVisit, problems: Problems) {
  const texts = signInTexts[visit.language].enrol;
  const { roles } = signInTexts[visit.language].link;
  const { accountId } = visit.session;
  const role = membershipOf(visit.person, accountId)?.role;
  return (
    <>
      <p>{texts.text}</p>
      <p>
        {visit.person.email} · {accountId} · {role && roles[role]}
      </p>
      {passkeys.areAvailable && (
        <AddPasskey visit={visit} action="/sign-in/next/passkey" problem={problems.passkey} />
      )}
      <OpenIdSignIn openId={openId} visit={visit} next="/" />
      <h2>{texts.withPassword}</h2>
      <NewPasswordForm
        visit={visit}
        action="/sign-in/next/password"
        email={visit.person.email}
        problem={problems.password}
      />
      <SignInScript />
    </>
  );
}
