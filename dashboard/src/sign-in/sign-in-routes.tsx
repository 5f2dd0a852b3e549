import { parseEmail } from '@jobs-delete/accounts/people/email';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { CsrfField, TextField } from '../web/form.tsx';
import type { Refusal, RefusalCode } from '../web/refusal.ts';
import type { Reply, Route, Visit } from '../web/route.ts';
import { safePath } from '../web/safe-path.ts';
import { NextField, OpenIdSignIn, PasskeySignIn, ShowPassword, SignInScript } from './forms.tsx';
import { completeSignIn, openSession, type SignIn } from './open-session.ts';
import { createAttemptCounts } from './proof/attempt-limits.ts';
import type { ProofOutcome, Proofs } from './proof/check-proof.ts';
import type { Passkeys } from './proof/passkeys.ts';
import { signInTexts } from './sign-in-texts.ts';

/** Challenges for one network in 15 minutes. Each one is a row of the database until it expires. */
const maxChallenges = 200;

/** Sign-in by password or passkey. */
export function signInRoutes(services: Services, proofs: Proofs, passkeys: Passkeys): readonly Route[] {
  const challenges = createAttemptCounts(services.now);
  const page = (visit: Visit, fields: Partial<PageFields> = {}) =>
    signInPage(services, visit, { hasPasskeys: passkeys.areAvailable, next: nextOf(visit), ...fields });
  return [
    {
      method: 'GET',
      path: '/sign-in',
      access: 'anyone',
      serve: (visit) =>
        visit.signedIn?.session.stage === 'signed-in' ? { kind: 'redirect', to: nextOf(visit) } : page(visit),
    },
    {
      method: 'POST',
      path: '/sign-in',
      access: 'anyone',
      serve: async (visit) => {
        const typed = visit.form.get('email') ?? '';
        const email = parseEmail(typed) ?? '';
        const person = await services.accounts.findPersonByEmail(email);
        const password = visit.form.get('password') ?? '';
        const outcome = await proofs.checkPassword(visit, email, person, password);
        if (outcome.kind === 'right' && person !== undefined) return afterPassword(services, visit, person);
        const status = outcome.kind === 'blocked' ? 429 : 422;
        const refusal = refusalOf(outcome, 'password_wrong', person);
        return page(visit, { status, email: typed, problem: problemOf(visit, outcome), refusal });
      },
    },
    {
      method: 'POST',
      path: '/sign-in/passkey/options',
      access: 'anyone',
      serve: async (visit) => {
        if (challenges.count(visit.network) >= maxChallenges)
          return { kind: 'json', status: 429, value: {}, refusal: { code: 'too_many_attempts' } };
        challenges.add(visit.network, 1);
        return { kind: 'json', value: await passkeys.requestOptions(visit) };
      },
    },
    {
      method: 'POST',
      path: '/sign-in/passkey',
      access: 'anyone',
      serve: async (visit) => {
        const person = await passkeys.authenticate(visit, visit.form.get('response') ?? '');
        if (person !== undefined) return signInTo(services, visit, person, 'passkey');
        const refusal = { code: 'passkey_refused' } as const;
        return page(visit, {
          status: 422,
          passkeyProblem: signInTexts[visit.language].passkey.refused,
          refusal,
        });
      },
    },
  ];
}

/** The page after the sign-in: a path of the dashboard, never another site. */
export function nextOf({ form, query }: Visit): string {
  return safePath(form.get('next') ?? query.get('next'));
}

export function problemOf({ language }: Visit, outcome: ProofOutcome): string {
  const texts = signInTexts[language];
  return outcome.kind === 'blocked' ? texts.blocked(Math.ceil(outcome.waitMs / 60_000)) : texts.wrong;
}

/** @param wrong the code unless there were too many attempts */
export function refusalOf(outcome: ProofOutcome, wrong: RefusalCode, person: Person | undefined): Refusal {
  return { code: outcome.kind === 'blocked' ? 'too_many_attempts' : wrong, personId: person?.id };
}

async function afterPassword(services: Services, visit: Visit, person: Person): Promise<Reply> {
  const accountId = person.memberships[0]?.accountId;
  if (person.totp === undefined || accountId === undefined)
    return signInTo(services, visit, person, 'password');
  const session = await openSession(services, visit, person, { accountId, stage: 'second-factor' });
  return { kind: 'redirect', to: `/sign-in/next?next=${encodeURIComponent(nextOf(visit))}`, session };
}

/** Signs a person in to their first account. */
function signInTo(
  services: Services,
  visit: Visit,
  person: Person,
  method: SignIn['method'],
): Promise<Reply> | Reply {
  const accountId = person.memberships[0]?.accountId;
  if (accountId !== undefined)
    return completeSignIn(services, visit, person, { accountId, to: nextOf(visit), method });
  const { title, text } = signInTexts[visit.language].noAccount;
  const refusal = { code: 'account_missing', personId: person.id } as const;
  return { kind: 'page', status: 403, title, body: <p>{text}</p>, refusal };
}

interface PageFields {
  readonly status?: number;
  readonly hasPasskeys: boolean;
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  readonly passkeyProblem?: string;
  readonly refusal?: Refusal;
}

function signInPage(services: Services, visit: Visit, fields: PageFields): Reply {
  const texts = signInTexts[visit.language];
  const { next, hasPasskeys, status = 200 } = fields;
  const body = (
    <>
      <form method="post" action="/sign-in" id="password-form">
        <CsrfField visit={visit} />
        <NextField next={next} />
        <TextField
          name="email"
          type="email"
          label={texts.email}
          value={fields.email}
          problem={fields.problem}
          autocomplete="username"
          required
        />
        <TextField
          name="password"
          type="password"
          label={texts.password}
          autocomplete="current-password"
          required
        />
        <p class="actions">
          <button>{texts.signIn}</button>
          <ShowPassword visit={visit} />
        </p>
      </form>
      {hasPasskeys && (
        <PasskeySignIn visit={visit} action="/sign-in/passkey" next={next} problem={fields.passkeyProblem} />
      )}
      <OpenIdSignIn openId={services.openId} visit={visit} next={next} />
      <SignInScript />
    </>
  );
  return { kind: 'page', status, title: texts.signIn, body, refusal: fields.refusal };
}
