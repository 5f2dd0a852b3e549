import type { Membership, Passkey, Person, Role } from '../people/people.ts';

export type PersonRow = [
  id: string,
  email: string,
  createdAtMs: number,
  passwordHash: string | null,
  totpSecret: Buffer | null,
  totpLastStep: number | null,
];
export type MembershipRow = [accountId: string, role: Role];
export type PasskeyRow = [
  id: string,
  publicKey: Buffer,
  counter: number,
  transports: string,
  name: string,
  createdAtMs: number,
  lastUsedAtMs: number | null,
];

export function toPerson(
  [id, email, createdAtMs, passwordHash, secret, lastStep]: PersonRow,
  owned: {
    readonly memberships: readonly MembershipRow[];
    readonly recoveryCodes: readonly [Buffer][];
    readonly passkeys: readonly PasskeyRow[];
  },
): Person {
  return {
    id,
    email,
    createdAtMs,
    memberships: owned.memberships.map(([accountId, role]): Membership => ({ accountId, role })),
    ...(passwordHash !== null && { passwordHash }),
    ...(secret !== null && lastStep !== null && { totp: { secret, lastStep } }),
    recoveryCodes: owned.recoveryCodes.flat(),
    passkeys: owned.passkeys.map(toPasskey),
  };
}

function toPasskey([
  id,
  publicKey,
  counter,
  transports,
  name,
  createdAtMs,
  lastUsedAtMs,
]: PasskeyRow): Passkey {
  return {
    id,
    publicKey,
    counter,
    transports: JSON.parse(transports) as string[],
    name,
    createdAtMs,
    ...(lastUsedAtMs !== null && { lastUsedAtMs }),
  };
}

/** In the order of the statement `add`. A thread sends a Buffer as a Uint8Array. */
export function passkeyParameters(personId: string, passkey: Passkey) {
  return [
    passkey.id,
    personId,
    Buffer.from(passkey.publicKey),
    passkey.counter,
    JSON.stringify(passkey.transports),
    passkey.name,
    passkey.createdAtMs,
    passkey.lastUsedAtMs ?? null,
  ];
}
