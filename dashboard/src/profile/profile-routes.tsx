import type { Services } from '../services.ts';
import { openSession } from '../sign-in/open-session.ts';
import type { Proofs } from '../sign-in/proof/check-proof.ts';
import { hasMethod, mayChangeMethods } from '../sign-in/proof/methods.ts';
import { namesOf, passwordProblem } from '../sign-in/proof/password-rules.ts';
import { passkeyName, type Passkeys } from '../sign-in/proof/passkeys.ts';
import { recordForPerson } from '../sign-in/record-for-person.ts';
import { signInTexts } from '../sign-in/sign-in-texts.ts';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { isAlive } from '../web/session-life.ts';
import { profilePage, type ProfileProblems } from './profile-page.tsx';
import { profileTexts } from './profile-texts.ts';
import { sessionListRoutes } from './session-list-routes.ts';
import { totpRoutes } from './totp-routes.tsx';
import { withProof } from './with-proof.ts';

/** How a person signs in: password, passkeys, second factor and sessions. */
export function profileRoutes(services: Services, proofs: Proofs, passkeys: Passkeys): readonly Route[] {
  const { accounts, openId } = services;
  const page = async (visit: MemberVisit, problems?: ProfileProblems) => {
    const all = await accounts.listSessions(visit.person.id);
    const sessions = all.filter((session) => isAlive(session, visit.nowMs));
    const hasPasskeys = passkeys.areAvailable;
    const mayChange = mayChangeMethods(services, visit);
    return profilePage({ visit, sessions, openId, mayChange, hasPasskeys, ...(problems && { problems }) });
  };
  return [
    { method: 'GET', path: '/profile', access: 'viewer', serve: (visit) => page(visit) },
    {
      method: 'POST',
      path: '/profile/password',
      access: 'viewer',
      serve: withProof(services, async (visit) => {
        const password = visit.form.get('password') ?? '';
        const problem = await passwordProblem(password, namesOf(visit.person));
        if (problem !== undefined)
          return page(visit, { password: signInTexts[visit.language].newPassword.problems[problem] });
        return changePassword(services, visit, await proofs.passwords.hash(password));
      }),
    },
    ...passkeyRoutes(services, passkeys, page),
    ...totpRoutes(services),
    ...sessionListRoutes(services),
  ];
}

/** Ends the other sessions: somebody who knows the old password may have opened them. */
async function changePassword({ accounts }: Services, visit: MemberVisit, hash: string): Promise<Reply> {
  const { person, session, accountId } = visit;
  await accounts.setPassword(person.id, hash);
  await accounts.endOtherSessions(person.id, session.id);
  await recordForPerson(accounts, visit, person, 'password.changed');
  const secret = await openSession({ accounts }, visit, person, { accountId, stage: 'signed-in' });
  return { kind: 'redirect', to: withNotice('/profile', 'password-changed'), session: secret };
}

function passkeyRoutes(
  services: Services,
  passkeys: Passkeys,
  page: (visit: MemberVisit, problems: ProfileProblems) => Promise<Reply>,
): readonly Route[] {
  const { accounts } = services;
  return [
    {
      method: 'POST',
      path: '/profile/passkeys/options',
      access: 'session',
      serve: async (visit) => ({ kind: 'json', value: await passkeys.creationOptions(visit, visit.person) }),
    },
    {
      method: 'POST',
      path: '/profile/passkeys',
      access: 'viewer',
      serve: withProof(services, async (visit) => {
        const { person, form, language } = visit;
        const name = passkeyName(visit);
        const outcome = await passkeys.add(visit, person, form.get('response') ?? '', name);
        if (outcome === 'exists') return page(visit, { addPasskey: profileTexts[language].passkeys.exists });
        if (outcome === 'refused') return page(visit, { addPasskey: signInTexts[language].passkey.refused });
        await recordForPerson(accounts, visit, person, 'passkey.added', name);
        return { kind: 'redirect', to: withNotice('/profile', 'passkey-added') };
      }),
    },
    {
      method: 'POST',
      path: '/profile/passkeys/remove',
      access: 'viewer',
      serve: withProof(services, async (visit) => {
        const { person, form, language } = visit;
        const passkey = person.passkeys.find(({ id }) => id === form.get('passkey'));
        if (passkey === undefined) return { kind: 'not-found' };
        const others = person.passkeys.filter(({ id }) => id !== passkey.id);
        if (!hasMethod({ ...person, passkeys: others }))
          return page(visit, { removePasskey: profileTexts[language].passkeys.last });
        await accounts.removePasskey(person.id, passkey.id);
        await recordForPerson(accounts, visit, person, 'passkey.removed', passkey.name);
        return { kind: 'redirect', to: withNotice('/profile', 'passkey-removed') };
      }),
    },
  ];
}
