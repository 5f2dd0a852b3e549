import { isIP } from 'node:net';
import type { Passkey, Person } from '@jobs-delete/accounts/people/people';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Services } from '../../services.ts';
import type { Visit } from '../../web/route.ts';
import { addChallenge, takeChallenge } from './passkey-challenge.ts';
import { readPasskeyResponse } from './passkey-response.ts';

/** The ceremonies of WebAuthn. A passkey verifies its user, so it needs no second factor. */
export interface Passkeys {
  /** False when the dashboard's address is an IP address, which WebAuthn does not allow. */
  readonly areAvailable: boolean;
  /** What `navigator.credentials.create` needs. */
  creationOptions(visit: Visit, person: Person): Promise<object>;
  /** What `navigator.credentials.get` needs. The browser offers the passkeys that it has for the dashboard. */
  requestOptions(visit: Visit): Promise<object>;
  /** Adds the passkey of a response to `creationOptions`. */
  add(visit: Visit, person: Person, response: string, name: string): Promise<'added' | 'refused' | 'exists'>;
  /** Resolves to the person who proved themselves by a response to `requestOptions`. */
  authenticate(visit: Visit, response: string): Promise<Person | undefined>;
}

interface Context {
  readonly accounts: Services['accounts'];
  readonly hostname: string;
  readonly expected: {
    readonly expectedOrigin: string;
    readonly expectedRPID: string;
    readonly requireUserVerification: true;
  };
}

export function createPasskeys({ accounts, publicUrl }: Pick<Services, 'accounts' | 'publicUrl'>): Passkeys {
  const { origin, hostname } = new URL(publicUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true } as const;
  const context: Context = { accounts, hostname, expected };
  return {
    areAvailable: isIP(hostname) === 0 && !hostname.startsWith('['),
    creationOptions: (visit, person) => creationOptions(context, visit, person),
    requestOptions: async (visit) =>
      (await load()).generateAuthenticationOptions({
        rpID: hostname,
        challenge: await addChallenge(accounts, visit, undefined),
        userVerification: 'required',
      }),
    add: (visit, person, response, name) => add(context, visit, person, { response, name }),
    authenticate: (visit, response) => authenticate(context, visit, response),
  };
}

/** Returns the chosen name, or the day: people tell their passkeys apart by it. */
export function passkeyName({ form, nowMs }: Pick<Visit, 'form' | 'nowMs'>): string {
  const name = (form.get('name') ?? '').trim().slice(0, 60);
  return name === '' ? new Date(nowMs).toISOString().slice(0, 10) : name;
}

/** Loads the library at the first use: it is large, and most processes of `serve` never serve a passkey. */
function load() {
  return import('@simplewebauthn/server');
}

async function creationOptions(
  { accounts, hostname }: Context,
  visit: Visit,
  person: Person,
): Promise<object> {
  return (await load()).generateRegistrationOptions({
    rpName: 'jobs-delete',
    rpID: hostname,
    userID: Uint8Array.from(Buffer.from(person.id)),
    userName: person.email,
    challenge: await addChallenge(accounts, visit, person.id),
    excludeCredentials: person.passkeys.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

async function add(
  { accounts, expected }: Context,
  visit: Visit,
  person: Person,
  { response: text, name }: { readonly response: string; readonly name: string },
): Promise<'added' | 'refused' | 'exists'> {
  const response = readPasskeyResponse(text);
  if (response === undefined || !(await takeChallenge(accounts, visit, response.challenge, person.id)))
    return 'refused';
  const { verifyRegistrationResponse } = await load();
  const verified = await verifyRegistrationResponse({
    ...expected,
    response: response.json as RegistrationResponseJSON,
    expectedChallenge: response.challenge,
  }).catch(() => undefined);
  if (!verified?.verified) return 'refused';
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const { transports } = response;
  const passkey = { id, publicKey: Buffer.from(publicKey), counter, transports, name };
  const added = await accounts.addPasskey(person.id, { ...passkey, createdAtMs: visit.nowMs });
  return added === 'no_person' ? 'refused' : added;
}

async function authenticate(
  { accounts, expected }: Context,
  visit: Visit,
  text: string,
): Promise<Person | undefined> {
  const response = readPasskeyResponse(text);
  if (response === undefined || !(await takeChallenge(accounts, visit, response.challenge, undefined)))
    return undefined;
  const person = await accounts.findPersonByPasskey(response.id);
  const passkey = person?.passkeys.find(({ id }) => id === response.id);
  if (person === undefined || passkey === undefined) return undefined;
  if (response.userHandle !== undefined && response.userHandle !== person.id) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const verified = await verifyAuthenticationResponse({
    ...expected,
    response: response.json as AuthenticationResponseJSON,
    expectedChallenge: response.challenge,
    credential: credentialOf(passkey),
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  await accounts.recordPasskeyUse(person.id, passkey.id, newCounter, visit.nowMs);
  return person;
}

function credentialOf({ id, publicKey, counter }: Passkey) {
  return { id, publicKey: Uint8Array.from(publicKey), counter };
}
