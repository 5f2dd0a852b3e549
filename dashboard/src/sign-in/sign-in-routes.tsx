import { membershipOf } from '@jobs-delete/accounts/people/people';
import type { Services } from '../services.ts';
import { accountPath, safePath } from '../web/account-path.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { isLanguage } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import { withNotice } from '../web/notices.ts';
import { problemPage } from '../web/problem-page.tsx';
import type { MemberVisit, Reply, Route, Visit } from '../web/route.ts';
import { OpenIdSignIn, passkeyPage, PasskeySignIn } from './forms.tsx';
import { findUnguarded, titleOfGuarded } from './guarded-page.ts';
import { signIn } from './open-session.ts';
import type { Passkeys } from './passkeys.ts';
import { signInTexts } from './sign-in-texts.ts';

/**
 * The page of the sign-in, its confirmation, and the forms of every page's frame.
 * @param allRoutes the routes of the dashboard, when a page is served
 */
export function signInRoutes(
  services: Services,
  passkeys: Passkeys,
  allRoutes: () => readonly Route[],
): readonly Route[] {
  const again: ServeAgain = async (visit, problem) => {
    const [routes, next] = [allRoutes(), nextOf(visit)];
    const change = await titleOfGuarded(routes, visit, next);
    const back = findUnguarded(routes, visit, next) ?? accountPath(visit, '/overview');
    return againPage(services, visit, { change, back, problem });
  };
  return [
    {
      method: 'GET',
      path: '/sign-in',
      access: 'anyone',
      serve: (visit) =>
        visit.signedIn === undefined ? signInPage(services, visit) : { kind: 'redirect', to: nextOf(visit) },
    },
    // Before a change of keys, people or passkeys, members prove again who they are.
    { method: 'GET', path: '/sign-in/again', access: 'viewer', serve: (visit) => again(visit) },
    // A tab that is open for the sign-in alone ends here: another one keeps a form.
    { method: 'GET', path: '/sign-in/continue', access: 'viewer', recent: true, serve: continuePage },
    ...(services.openId === undefined ? passkeyRoutes(services, passkeys, again) : []),
    ...frameRoutes(services),
  ];
}

type ServeAgain = (visit: MemberVisit, problem?: string) => Promise<Reply>;

function passkeyRoutes(services: Services, passkeys: Passkeys, again: ServeAgain): readonly Route[] {
  const textsOf = ({ language }: Visit) => signInTexts[language].passkey;
  return [
    {
      method: 'POST',
      path: '/sign-in/passkey/options',
      access: 'anyone',
      serve: async (visit) => ({ kind: 'json', value: await passkeys.requestOptions(visit) }),
    },
    {
      method: 'POST',
      path: '/sign-in/passkey',
      access: 'anyone',
      serve: async (visit) => {
        const person = await passkeys.authenticate(visit);
        if (person === undefined) return signInPage(services, visit, textsOf(visit).refused);
        if (person === 'unknown') return signInPage(services, visit, textsOf(visit).unknown);
        if (person === 'limited') return problemPage(visit, 'tooMany');
        return signIn(services, visit, person, { to: nextOf(visit), method: 'passkey' });
      },
    },
    {
      method: 'POST',
      path: '/sign-in/again/passkey',
      access: 'viewer',
      serve: async (visit) => {
        const person = await passkeys.authenticate(visit);
        if (person === 'limited') return problemPage(visit, 'tooMany');
        if (person === 'unknown') return again(visit, textsOf(visit).gone);
        if (person?.id !== visit.person.id) return again(visit, textsOf(visit).refused);
        return signIn(services, visit, visit.person, { to: nextOf(visit), method: 'passkey' });
      },
    },
  ];
}

/** Language, account, sign out. */
function frameRoutes({ accounts, writes }: Services): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/settings',
      access: 'anyone',
      serve: ({ form }) => {
        const language = form.get('language') ?? undefined;
        return {
          kind: 'redirect',
          to: safePath(form.get('next')),
          ...(isLanguage(language) && { language }),
        };
      },
    },
    {
      method: 'POST',
      path: '/account',
      access: 'session',
      serve: async (visit) => {
        const { form, session, person } = visit;
        const membership = membershipOf(person, form.get('account') ?? '');
        if (membership === undefined) return { kind: 'not-found' };
        const { accountId } = membership;
        const to = accountPath(membership, '/overview');
        if (accountId === session.accountId) return { kind: 'redirect', to };
        if (!writes.allows(person.id)) return problemPage(visit, 'tooMany');
        // Only for addresses without an account, and for the next sign-in.
        await accounts.changeSession(session.hash, { accountId });
        return { kind: 'redirect', to };
      },
    },
    {
      method: 'POST',
      path: '/sign-out',
      access: 'session',
      serve: async (visit) => {
        await accounts.endSession(visit.person.id, visit.session.id, auditEntry(visit, 'signed-out'));
        return { kind: 'redirect', to: withNotice('/sign-in', 'signed-out'), session: null };
      },
    },
  ];
}

function continuePage({ language }: MemberVisit): Reply {
  const { title, text } = signInTexts[language].continue;
  return { kind: 'page', title, body: <p>{text}</p> };
}

/** The page after the sign-in: a path of the dashboard, never another site. */
export function nextOf({ form, query }: Visit): string {
  return safePath(form.get('next') ?? query.get('next'));
}

function signInPage({ openId }: Services, visit: Visit, problem?: string): Reply {
  const texts = signInTexts[visit.language];
  const next = nextOf(visit);
  const content = (
    <>
      <p>
        <strong>{texts.product}</strong>
      </p>
      {visit.hasEndedSession && problem === undefined && <p class="warning">{texts.ended}</p>}
      {openId === undefined ? (
        <PasskeySignIn visit={visit} action="/sign-in/passkey" next={next} problem={problem} />
      ) : (
        <OpenIdSignIn visit={visit} query={{ next }} />
      )}
      <details>
        <summary>{texts.noAccess}</summary>
        <p class="muted">{texts.needsInvitation}</p>
      </details>
    </>
  );
  return passkeyPage(texts.signIn, content, problem);
}

interface AgainOptions {
  /** The title of the page that asks for the sign-in. */
  readonly change: string | undefined;
  /** The path of the page to leave for. */
  readonly back: string;
  /** Why the last passkey was refused. */
  readonly problem: string | undefined;
}

function againPage({ openId }: Services, visit: MemberVisit, { change, back, problem }: AgainOptions): Reply {
  const texts = signInTexts[visit.language].again;
  const next = nextOf(visit);
  const action = accountPath(visit, '/sign-in/again/passkey');
  const cancel = (
    <a class="button quiet" href={back}>
      {texts.cancel}
    </a>
  );
  const content = (
    <>
      <p>
        {change !== undefined && (
          <>
            <strong>{change}</strong>
            <br />
          </>
        )}
        {texts.text}
      </p>
      {openId === undefined && visit.person.passkeys.length > 0 ? (
        <PasskeySignIn {...{ visit, action, next, problem, cancel }} />
      ) : (
        <>
          {openId === undefined ? (
            <p class="warning">{layoutTexts[visit.language].lateForm.link}</p>
          ) : (
            <OpenIdSignIn visit={visit} query={{ next, purpose: 'again' }} />
          )}
          <p class="actions">
            {openId === undefined && change !== undefined && (
              <a class="button" href={next}>
                {texts.afterLink}
              </a>
            )}
            {cancel}
          </p>
        </>
      )}
    </>
  );
  return passkeyPage(texts.title, content, problem);
}
