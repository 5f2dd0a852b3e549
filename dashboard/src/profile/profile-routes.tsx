import type { Services } from '../services.ts';
import { passkeyName, type Passkeys } from '../sign-in/passkeys.ts';
import { signInTexts } from '../sign-in/sign-in-texts.ts';
import { accountPath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { withNotice } from '../web/notices.ts';
import type { MemberVisit, Reply, Route } from '../web/route.ts';
import { isLanguage } from '../web/language.ts';
import { isAlive } from '../web/browser-sessions.ts';
import { findTimeZone } from '../web/time-zones.ts';
import { profilePage, type ProfileProblems } from './profile-page.tsx';
import { profileTexts } from './profile-texts.ts';

/** Enough for every device of a person. Concurrent forms may exceed it by their number. */
const maxPasskeys = 20;

/** How a person signs in: passkeys and sessions. */
export function profileRoutes(services: Services, passkeys: Passkeys): readonly Route[] {
  const { accounts, openId } = services;
  const hasPasskeys = openId === undefined;
  const page = async (visit: MemberVisit, problems?: ProfileProblems) => {
    const all = await accounts.listSessions(visit.person.id);
    const sessions = all.filter((session) => isAlive(session, visit.nowMs));
    return profilePage({ visit, sessions, hasPasskeys, ...(problems && { problems }) });
  };
  return [
    { method: 'GET', path: '/profile', access: 'viewer', serve: (visit) => page(visit) },
    ...(hasPasskeys ? passkeyRoutes(services, passkeys, page) : []),
    ...sessionListRoutes(services),
    settingsRoute(page),
  ];
}

type ShowPage = (visit: MemberVisit, problems: ProfileProblems) => Promise<Reply>;

function passkeyRoutes({ accounts }: Services, passkeys: Passkeys, page: ShowPage): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/profile/passkeys/options',
      access: 'viewer',
      recent: true,
      serve: async (visit) => {
        const options = await passkeys.creationOptions(visit, { ...visit.person, label: visit.email });
        return { kind: 'json', value: options };
      },
    },
    {
      method: 'POST',
      path: '/profile/passkeys',
      access: 'viewer',
      recent: true,
      serve: async (visit) => {
        const { person, language } = visit;
        const texts = { ...signInTexts[language].passkey, ...profileTexts[language].passkeys };
        if (person.passkeys.length >= maxPasskeys) return page(visit, { addPasskey: texts.tooMany });
        const name = passkeyName(visit);
        if (name === undefined) return page(visit, { addPasskey: texts.nameProblem });
        const passkey = await passkeys.verifyNew(visit, person.id, name);
        if (passkey === undefined) return page(visit, { addPasskey: texts.refused });
        const entry = auditEntry(visit, 'passkey.added', name);
        const added = await accounts.addPasskey(person.id, passkey, entry);
        if (added !== 'added') return page(visit, { addPasskey: texts.exists });
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/profile'), 'passkey-added', entry) };
      },
    },
    {
      method: 'POST',
      path: '/profile/passkeys/remove',
      access: 'viewer',
      recent: true,
      serve: async (visit) => {
        const { person, session, form, language } = visit;
        const passkey = person.passkeys.find(({ id }) => id === form.get('passkey'));
        if (passkey === undefined) return { kind: 'not-found' };
        const entry = auditEntry(visit, 'passkey.removed', passkey.name);
        const removed = await accounts.removePasskey(person.id, passkey.id, session.id, entry);
        if (removed === 'last') return page(visit, { removePasskey: profileTexts[language].passkeys.last });
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/profile'), 'passkey-removed', entry) };
      },
    },
  ];
}

/** A person ends sessions of their own. */
function sessionListRoutes({ accounts }: Pick<Services, 'accounts'>): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/profile/sessions/end',
      access: 'viewer',
      serve: async (visit) => {
        const { person, session, form } = visit;
        const id = form.get('session') ?? '';
        // An unknown id records nothing.
        const entry = auditEntry(visit, 'session.ended', id);
        if (!(await accounts.endSession(person.id, id, entry))) return { kind: 'not-found' };
        return id === session.id
          ? { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null }
          : { kind: 'redirect', to: withNotice(accountPath(visit, '/profile'), 'session-ended') };
      },
    },
    {
      method: 'POST',
      path: '/profile/sessions/end-others',
      access: 'viewer',
      serve: async (visit) => {
        const entry = auditEntry(visit, 'session.ended', 'all other sessions');
        await accounts.endOtherSessions(visit.person.id, visit.session.id, entry);
        return { kind: 'redirect', to: withNotice(accountPath(visit, '/profile'), 'session-ended') };
      },
    },
  ];
}

/** Saves the language and the time zone in the browser. */
function settingsRoute(page: ShowPage): Route {
  return {
    method: 'POST',
    path: '/profile/settings',
    access: 'viewer',
    serve: (visit) => {
      const zone = findTimeZone(visit.form.get('zone') ?? '');
      if (zone === undefined) return page(visit, { zone: profileTexts[visit.language].settings.unknownZone });
      const language = visit.form.get('language') ?? undefined;
      const to = withNotice(accountPath(visit, '/profile'), 'settings-saved');
      return { kind: 'redirect', to, zone, ...(isLanguage(language) && { language }) };
    },
  };
}
