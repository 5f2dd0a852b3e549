import { createHmac } from 'node:crypto';
import { findInvitation } from '@jobs-delete/accounts/people/invitations';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { type Person, newId } from '@jobs-delete/accounts/people/people';
import { z } from 'zod';
import type { Services } from '../../services.ts';
import { isCsrfToken } from '../../web/browser-cookie.ts';
import { problemPage } from '../../web/problem-page.tsx';
import type { Reply, Route, Visit } from '../../web/route.ts';
import { safePath } from '../../web/account-path.ts';
import { browserOf, checkTicket, issueTicket, useTicket, type TicketPurpose } from '../../web/ticket.ts';
import { join } from '../link-routes.tsx';
import { signIn } from '../open-session.ts';
import { nextOf } from '../sign-in-routes.tsx';
import { signInTexts } from '../sign-in-texts.ts';
import {
  createOpenIdProvider,
  type OpenIdAttempt,
  type OpenIdProvider,
  type SeenPerson,
} from './openid-provider.ts';

const lifetimeMs = 10 * 60_000;

/** What the sign-in at the provider is for. It travels in the `state`, which is signed and belongs to one browser. */
const intentShape = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('sign-in'), next: z.string() }),
  z.object({ purpose: z.literal('again'), next: z.string(), personId: z.string() }),
  // The hash: the provider must not learn the secret of the link.
  z.object({ purpose: z.literal('join'), linkHash: z.string() }),
]);
type Intent = z.infer<typeof intentShape>;

/** Sign-in at the provider of an organisation. None without a provider. */
export function openIdRoutes(services: Services): readonly Route[] {
  if (services.openId === undefined) return [];
  const provider = createOpenIdProvider(services.openId, callbackOf(services));
  return [
    {
      method: 'GET',
      path: '/sign-in/openid',
      access: 'anyone',
      serve: async (visit) => {
        const intent = intentOf(visit);
        if (intent === undefined) return problemPage(visit, 'expiredForm');
        return { kind: 'redirect', to: await provider.begin(attemptOf(services, visit, intent)) };
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

/** Returns undefined for a request that another site may have caused: it must not make anybody join an account. */
function intentOf(visit: Visit): Intent | undefined {
  const { query, csrf, signedIn } = visit;
  const next = nextOf(visit);
  switch (query.get('purpose')) {
    case 'join': {
      if (!isCsrfToken(query.get('csrf'), csrf)) return undefined;
      return { purpose: 'join', linkHash: hashSecret(query.get('link') ?? '').toString('base64url') };
    }
    case 'again':
      return signedIn && { purpose: 'again', next, personId: signedIn.person.id };
    default:
      return { purpose: 'sign-in', next };
  }
}

function attemptOf({ keys }: Services, visit: Visit, intent: Intent): OpenIdAttempt {
  const text = Buffer.from(JSON.stringify(intent)).toString('base64url');
  const ticket = issueTicket(keys.tickets, purposeOf(visit, text), visit.nowMs + lifetimeMs);
  return attemptWith(keys.tickets, visit, `${ticket}.${text}`, { intent, beganAtMs: visit.nowMs });
}

interface Begun {
  readonly intent: Intent;
  readonly beganAtMs: number;
}

/** Nothing is stored: the nonce and the verifier follow from the state, for this browser only. */
function attemptWith(key: Buffer, visit: Visit, state: string, { intent, beganAtMs }: Begun): OpenIdAttempt {
  const derive = (name: string) =>
    createHmac('sha256', key)
      .update(`openid ${name} ${browserOf(visit)} ${state}`)
      .digest('base64url');
  const seenAfterMs = intent.purpose === 'again' ? beganAtMs : undefined;
  return { state, nonce: derive('nonce'), verifier: derive('verifier'), seenAfterMs };
}

function purposeOf(visit: Visit, intent: string): TicketPurpose {
  return { purpose: 'openid', holder: `${browserOf(visit)} ${intent}` };
}

async function finish(services: Services, provider: OpenIdProvider, visit: Visit): Promise<Reply> {
  const { accounts, keys, log, writes } = services;
  const state = visit.query.get('state') ?? '';
  const [ticket = '', text = ''] = state.split('.');
  const purpose = purposeOf(visit, text);
  const expiresAtMs = checkTicket(keys.tickets, purpose, ticket, visit.nowMs);
  if (expiresAtMs === undefined) return refused(visit);
  const intent = intentShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  const callback = new URL(`${callbackOf(services)}?${visit.query.toString()}`);
  const attempt = attemptWith(keys.tickets, visit, state, { intent, beganAtMs: expiresAtMs - lifetimeMs });
  const seen = await provider.finish(callback, attempt).catch((error: unknown) => {
    log.warn({ reason: String(error) }, 'a sign-in at the OpenID provider was refused');
    return undefined;
  });
  if (seen === undefined) return refused(visit);
  const person = await accounts.findPersonByOpenId(seen.identity);
  // Using the ticket writes too.
  if (person !== undefined && writes.isReached(person.id)) return problemPage(visit, 'tooMany');
  if (!(await useTicket(accounts, keys.tickets, purpose, ticket, visit.nowMs))) return refused(visit);
  return fulfil(services, visit, intent, { ...seen, person });
}

interface Proven extends SeenPerson {
  readonly person: Person | undefined;
}

async function fulfil(
  services: Services,
  visit: Visit,
  intent: Intent,
  { identity, person, seenAtMs }: Proven,
): Promise<Reply> {
  // A provider that does not say when must be asked to confirm.
  const provenAtMs = Math.min(seenAtMs ?? (intent.purpose === 'again' ? visit.nowMs : 0), visit.nowMs);
  const proof = { method: 'OpenID Connect', provenAtMs } as const;
  if (intent.purpose === 'join') {
    const newPerson = { id: newId(), createdAtMs: visit.nowMs, passkeys: [], openId: identity };
    const joiner = person === undefined ? { newPerson } : { personId: person.id };
    const linkHash = Buffer.from(intent.linkHash, 'base64url');
    const invitation = await findInvitation(services.accounts, linkHash, visit.nowMs);
    return join(services, visit, invitation, { joiner, ...proof });
  }
  if (person === undefined) return refused(visit);
  const isOther = intent.purpose === 'again' && person.id !== intent.personId;
  return isOther ? refused(visit) : signIn(services, visit, person, { to: safePath(intent.next), ...proof });
}

function refused({ language }: Visit): Reply {
  const { signIn: title, openId } = signInTexts[language];
  const body = (
    <>
      <p class="warning">{openId.refused}</p>
      <a class="button" href="/sign-in">
        {title}
      </a>
    </>
  );
  return { kind: 'page', status: 403, title, body, refusal: { code: 'openid_refused' } };
}
