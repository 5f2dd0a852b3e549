import { parseEmail } from '@jobs-delete/accounts/people/email';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { OneTimeSecret } from '@jobs-delete/accounts/people/sessions';
import type { Services } from '../../services.ts';
import { problemPage } from '../../web/problem-page.tsx';
import type { Reply, Route, Visit } from '../../web/route.ts';
import { safePath } from '../../web/safe-path.ts';
import { completeSignIn } from '../open-session.ts';
import { createAttemptCounts } from '../proof/attempt-limits.ts';
import { browserOf } from '../proof/passkey-challenge.ts';
import { nextOf } from '../sign-in-routes.tsx';
import { signInTexts } from '../sign-in-texts.ts';
import { createOpenIdProvider, type OpenIdProvider } from './openid-provider.ts';

const lifetimeMs = 10 * 60_000;

/** Sign-ins that one network may begin in 15 minutes. Each one is a row of the database until it expires. */
const maxBegun = 200;

/** Sign-in at the provider of an organisation, for people who were invited before. None without a provider. */
export function openIdRoutes(services: Services): readonly Route[] {
  if (services.openId === undefined) return [];
  const provider = createOpenIdProvider(services.openId, callbackOf(services));
  const begun = createAttemptCounts(services.now);
  return [
    {
      method: 'GET',
      path: '/sign-in/openid',
      access: 'anyone',
      serve: (visit) => {
        if (begun.count(visit.network) >= maxBegun)
          return problemPage(visit, 429, 'unavailable', 'too_many_attempts');
        begun.add(visit.network, 1);
        return begin(services, provider, visit);
      },
    },
    {
      method: 'GET',
      path: '/sign-in/openid/callback',
      access: 'anyone',
      serve: (visit) => finish(services, provider, visit),
    },
  ];
}

function callbackOf({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/sign-in/openid/callback`;
}

async function begin({ accounts }: Services, provider: OpenIdProvider, visit: Visit): Promise<Reply> {
  const { state, nonce, verifier, url } = await provider.begin(newSecret());
  await accounts.addOneTimeSecret({
    kind: 'openid-state',
    hash: hashSecret(state),
    expiresAtMs: visit.nowMs + lifetimeMs,
    data: { browser: browserOf(visit), nonce, verifier, next: nextOf(visit) },
  });
  return { kind: 'redirect', to: url };
}

async function finish(services: Services, provider: OpenIdProvider, visit: Visit): Promise<Reply> {
  const { accounts, log } = services;
  const state = visit.query.get('state') ?? '';
  const taken = await accounts.takeOneTimeSecret('openid-state', hashSecret(state), visit.nowMs);
  if (taken?.data.browser !== browserOf(visit)) return refused(visit, undefined);
  const email = await provider
    .finish(new URL(`${callbackOf(services)}?${visit.query.toString()}`), { state, ...secretsOf(taken) })
    .catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'a sign-in at the OpenID provider was refused');
      return undefined;
    });
  const address = email === undefined ? undefined : parseEmail(email);
  const person = address === undefined ? undefined : await accounts.findPersonByEmail(address);
  const accountId = person?.memberships[0]?.accountId;
  if (person === undefined || accountId === undefined) return refused(visit, person);
  await endEnrolments(accounts, person.id);
  return completeSignIn(services, visit, person, {
    accountId,
    to: safePath(taken.data.next ?? null),
    method: 'OpenID Connect',
  });
}

/** The person has a sign-in method now, so nobody chooses the first one with a link that was used before. */
async function endEnrolments(accounts: Services['accounts'], personId: string): Promise<void> {
  for (const { id, stage } of await accounts.listSessions(personId))
    if (stage === 'enrolling') await accounts.endSession(personId, id);
}

function secretsOf({ data: { nonce = '', verifier = '' } }: OneTimeSecret) {
  return { nonce, verifier };
}

function refused({ language }: Visit, person: Person | undefined): Reply {
  const { signIn, openId } = signInTexts[language];
  const body = (
    <>
      <p class="warning">{openId.refused}</p>
      <a class="button" href="/sign-in">
        {signIn}
      </a>
    </>
  );
  const refusal = { code: 'openid_refused', personId: person?.id } as const;
  return { kind: 'page', status: 403, title: signIn, body, refusal };
}
