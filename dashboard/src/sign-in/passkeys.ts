import { createHmac } from 'node:crypto';
import { isDisplayName } from '@jobs-delete/accounts/accounts';
import type { Passkey, Person } from '@jobs-delete/accounts/people/people';
import { parseJson } from '@jobs-delete/runtime/text/safe-text';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Services } from '../services.ts';
import { describeBrowser } from '../web/describe-browser.ts';
import type { Visit } from '../web/route.ts';
import { browserOf, issueTicket, useTicket, type TicketPurpose } from '../web/ticket.ts';

/** Who gets a new passkey. */
interface PasskeyOwner extends Pick<Person, 'id' | 'passkeys'> {
  /** The name that the browser shows beside the passkey. */
  readonly label: string;
}

/**
 * The ceremonies of WebAuthn. A passkey verifies its user, so it needs no second factor. Each challenge works once, within 5
 * minutes, in the browser that has asked for it; one for a new passkey works for one person only.
 */
export interface Passkeys {
  /** What `navigator.credentials.create` needs. */
  creationOptions(visit: Visit, owner: PasskeyOwner): Promise<object>;
  /** What `navigator.credentials.get` needs. The browser offers the passkeys that it has for the dashboard. */
  requestOptions(visit: Visit): Promise<object>;
  /** Resolves to the passkey of a response to `creationOptions`, which the caller stores. */
  verifyNew(visit: Visit, ownerId: string, name: string): Promise<Passkey | undefined>;
  /**
   * Resolves to the person who has proven themselves by a response to `requestOptions`. `limited`: the person has too many
   * writes, and nothing was written. `unknown`: nobody has this passkey, such as after the removal of the person.
   */
  authenticate(visit: Visit): Promise<Person | 'limited' | 'unknown' | undefined>;
}

type Needed = Pick<Services, 'accounts' | 'keys' | 'publicUrl' | 'writes'>;

const lifetimeMs = 5 * 60_000;

export function createPasskeys({ accounts, keys, publicUrl, writes }: Needed): Passkeys {
  const { origin, hostname } = new URL(publicUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true } as const;
  const challengeFor = (visit: Visit, ownerId: string | undefined) =>
    Uint8Array.from(
      Buffer.from(
        issueTicket(keys.tickets, purposeOf(visit, ownerId), visit.nowMs + lifetimeMs),
        'base64url',
      ),
    );
  const use = (visit: Visit, ownerId: string | undefined, challenge: string) =>
    useTicket(accounts, keys.tickets, purposeOf(visit, ownerId), challenge, visit.nowMs);
  const responseOf = ({ form }: Visit) => readPasskeyResponse(form.get('response') ?? '');

  return {
    creationOptions: async (visit, { id, passkeys, label }) =>
      (await load()).generateRegistrationOptions({
        rpName: 'jobs-delete',
        rpID: hostname,
        userID: Uint8Array.from(Buffer.from(id)),
        userName: label,
        challenge: challengeFor(visit, id),
        excludeCredentials: passkeys.map((each) => ({ id: each.id, transports: [...each.transports] })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    requestOptions: async (visit) =>
      (await load()).generateAuthenticationOptions({
        rpID: hostname,
        challenge: challengeFor(visit, undefined),
        userVerification: 'required',
      }),
    verifyNew: async (visit, ownerId, name) => {
      const response = responseOf(visit);
      if (response === undefined) return undefined;
      const { verifyRegistrationResponse } = await load();
      const verified = await verifyRegistrationResponse({
        ...expected,
        response: response.json as RegistrationResponseJSON,
        expectedChallenge: response.challenge,
      }).catch(() => undefined);
      if (!verified?.verified || !(await use(visit, ownerId, response.challenge))) return undefined;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      const { transports } = response;
      return { id, publicKey: Buffer.from(publicKey), counter, transports, name, createdAtMs: visit.nowMs };
    },
    authenticate: async (visit) => {
      const response = responseOf(visit);
      const person = response && (await accounts.findPersonByPasskey(response.id));
      const passkey = person?.passkeys.find(({ id }) => id === response?.id);
      if (response === undefined) return undefined;
      if (person === undefined || passkey === undefined) return 'unknown';
      if (response.userHandle !== undefined && response.userHandle !== person.id) return undefined;
      const verified = await verifySignature(expected, response, passkey);
      if (!verified?.verified) return undefined;
      if (writes.isReached(person.id)) return 'limited';
      // The challenge is used last: only a right signature writes.
      if (!(await use(visit, undefined, response.challenge))) return undefined;
      const { newCounter } = verified.authenticationInfo;
      await accounts.recordPasskeyUse(person.id, passkey.id, newCounter, visit.nowMs);
      return person;
    },
  };
}

interface Expected {
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
  readonly requireUserVerification: true;
}

async function verifySignature(
  expected: Expected,
  { json, challenge }: PasskeyResponse,
  { id, publicKey, counter }: Passkey,
) {
  const { verifyAuthenticationResponse } = await load();
  return verifyAuthenticationResponse({
    ...expected,
    response: json as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    credential: { id, publicKey: Uint8Array.from(publicKey), counter },
  }).catch(() => undefined);
}

/**
 * Returns the id of the person who joins with a link in a browser. The browser stores it in the passkey before the person
 * exists, so a repeated attempt replaces that passkey.
 */
export function newPersonId({ keys }: Pick<Services, 'keys'>, visit: Visit, linkHash: Buffer): string {
  const source = `person ${linkHash.toString('hex')} ${browserOf(visit)}`;
  return createHmac('sha256', keys.tickets).update(source).digest('hex').slice(0, 24);
}

/** Returns the browser, or else the day. */
export function defaultName({ userAgent, nowMs }: Pick<Visit, 'userAgent' | 'nowMs'>): string {
  return describeBrowser(userAgent) ?? new Date(nowMs).toISOString().slice(0, 10);
}

/** Returns the chosen name, or the default. Undefined for a name that is not shown. */
export function passkeyName(visit: Pick<Visit, 'form' | 'userAgent' | 'nowMs'>): string | undefined {
  const name = (visit.form.get('name') ?? '').trim();
  if (name === '') return defaultName(visit);
  return isDisplayName(name) ? name : undefined;
}

/** Loads the library at the first use: it is large, and most processes of `serve` never serve a passkey. */
function load() {
  return import('@simplewebauthn/server');
}

function purposeOf(visit: Visit, ownerId: string | undefined): TicketPurpose {
  return { purpose: 'passkey', holder: `${browserOf(visit)} ${ownerId ?? 'sign-in'}` };
}

/** The answer of a browser's WebAuthn API. Has the fields that are read before the verification. */
interface PasskeyResponse {
  /** The passkey's id in base64url. */
  readonly id: string;
  readonly challenge: string;
  readonly transports: readonly string[];
  /** The person's id. Not every authenticator sends it. */
  readonly userHandle: string | undefined;
  readonly json: unknown;
}

const base64url = z.string().regex(/^[\w-]+$/);
const responseShape = z.object({
  id: base64url.max(1_400),
  response: z.object({
    clientDataJSON: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
    userHandle: base64url.nullish(),
  }),
});
const clientDataShape = z.object({ challenge: base64url });

/** Returns undefined for a text that no browser sends. */
export function readPasskeyResponse(text: string): PasskeyResponse | undefined {
  const json = parseJson(text);
  const { data } = responseShape.safeParse(json);
  if (data === undefined) return undefined;
  const { id, response } = data;
  const clientData = clientDataShape.safeParse(parseJson(decode(response.clientDataJSON))).data;
  if (clientData === undefined) return undefined;
  return {
    id,
    challenge: clientData.challenge,
    transports: response.transports ?? [],
    userHandle: response.userHandle ? decode(response.userHandle) : undefined,
    json,
  };
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
