/** The highest role first. */
export const roles = ['owner', 'manager', 'viewer'] as const;

/** An owner manages people too; a manager changes keys and domains; a viewer only reads. */
export type Role = (typeof roles)[number];

export interface Membership {
  readonly accountId: string;
  readonly role: Role;
}

/** Somebody who signs in to the dashboard. */
export interface Person {
  /** 24 random characters of lower-case hex. */
  readonly id: string;
  /** In lower case. No two people share an address. */
  readonly email: string;
  readonly createdAtMs: number;
  /** At most one for each account, in the order of the account ids. */
  readonly memberships: readonly Membership[];
  /** An encoded hash in the PHC string format. Absent: the person signs in without a password. */
  readonly passwordHash?: string;
  /** Absent: no second factor beside the password. */
  readonly totp?: TotpSecret;
  /** SHA-256 hashes (32 bytes) of the unused recovery codes, in the given order. */
  readonly recoveryCodes: readonly Buffer[];
  /** In the order in which they were added. */
  readonly passkeys: readonly Passkey[];
}

export function membershipOf(person: Person, accountId: string): Membership | undefined {
  return person.memberships.find((membership) => membership.accountId === accountId);
}

export interface TotpSecret {
  /** Encrypted by the caller. */
  readonly secret: Buffer;
  /** The time step (RFC 6238) of the last accepted code. No code of this step or an earlier one is accepted again. */
  readonly lastStep: number;
}

/** A WebAuthn credential. */
export interface Passkey {
  /** The credential id in base64url. Unique over all people. */
  readonly id: string;
  /** COSE bytes. */
  readonly publicKey: Buffer;
  /** The signature counter of the last use. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs?: number;
}

/**
 * The people of the dashboard. A method that changes a person resolves to whether the person exists, unless it says
 * otherwise.
 */
export interface People {
  /**
   * Exactly one of several concurrent callers with one address gets `added`. The others change nothing. Rejects with a
   * Fault when the id or a passkey exists.
   */
  addPerson(person: Person): Promise<'added' | 'exists'>;
  findPerson(id: string): Promise<Person | undefined>;
  findPersonByEmail(email: string): Promise<Person | undefined>;
  /** The members of an account, ordered by address. */
  listPeople(accountId: string): Promise<readonly Person[]>;
  /** Adds the membership, or changes its role. The caller checks that the account exists: accounts are never removed. */
  setMembership(personId: string, membership: Membership): Promise<boolean>;
  /** Resolves to whether the person was a member before. */
  removeMembership(personId: string, accountId: string): Promise<boolean>;
  /** `null` removes the password. */
  setPassword(personId: string, passwordHash: string | null): Promise<boolean>;
  /** Replaces the second factor and all recovery codes. `null` removes both. */
  setTotp(
    personId: string,
    factor: { readonly totp: TotpSecret; readonly recoveryCodes: readonly Buffer[] } | null,
  ): Promise<boolean>;
  /** Exactly one of several concurrent callers gets true for a step, and none for a step up to the last one. */
  useTotpStep(personId: string, step: number): Promise<boolean>;
  /** Removes the code. Exactly one of several concurrent callers gets true. */
  useRecoveryCode(personId: string, hash: Buffer): Promise<boolean>;
  addPasskey(personId: string, passkey: Passkey): Promise<'added' | 'exists' | 'no_person'>;
  /** Finds the person by a passkey's id. */
  findPersonByPasskey(passkeyId: string): Promise<Person | undefined>;
  /** Raises the counter and the time, and never lowers them. */
  recordPasskeyUse(personId: string, passkeyId: string, counter: number, atMs: number): Promise<void>;
  /** Resolves to whether the person had the passkey. */
  removePasskey(personId: string, passkeyId: string): Promise<boolean>;
  /** Removes the password, the second factor, the recovery codes and the passkeys in one step. */
  removeSignInMethods(personId: string): Promise<boolean>;
}
