import { randomBytes } from 'node:crypto';
import type { Account, Accounts, Credential, CredentialKind, StoredCredential } from '../accounts.ts';

/** The adapter under test. */
export interface ContractContext {
  /** Returns the store of the current test. */
  readonly accounts: () => Accounts;
  /** Returns another connection to the same store. */
  readonly connect: () => Promise<Accounts>;
  /** Closes every connection to the store of the current test, and opens it again. */
  readonly reopen: () => Promise<Accounts>;
}

export const kinds: readonly CredentialKind[] = ['token', 'secret-key'];
export const acme: Account = { id: 'acme', name: 'Acme, Inc.', createdAtMs: 1_753_920_000_123 };
export const other: Account = { id: 'other', createdAtMs: 1_753_920_000_124 };

/** Returns a credential of acme with a random id and hash. */
export function credential(kind: CredentialKind, fields: Partial<StoredCredential> = {}): StoredCredential {
  return {
    kind,
    id: randomBytes(12).toString('hex'),
    accountId: acme.id,
    createdAtMs: 1_753_920_000_500,
    hash: randomBytes(32),
    ...fields,
  };
}

export function withoutHash(stored: StoredCredential): Credential {
  const listed: Partial<StoredCredential> & Credential = { ...stored };
  delete (listed as { hash?: Buffer }).hash;
  return listed;
}

export function count<Value>(values: readonly Value[], wanted: Value): number {
  return values.filter((value) => value === wanted).length;
}

/** Calls `use` twelve times at once, over three connections. */
export async function race<Outcome>(
  { accounts, connect }: Pick<ContractContext, 'accounts' | 'connect'>,
  use: (store: Accounts, index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const stores = [accounts(), await connect(), await connect()];
  const racers = Array.from({ length: 12 }, (_, index) => stores[index % stores.length] ?? accounts());
  return Promise.all(racers.map(use));
}
