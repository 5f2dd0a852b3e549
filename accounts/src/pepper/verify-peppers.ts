import type { KeyObject } from 'node:crypto';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import type { Accounts, PepperCount, PepperFingerprints } from '../accounts.ts';
import { fingerprintOf, pepperIdOf } from '../credentials/fingerprint.ts';

export interface Peppers {
  /** Hashes new credentials. */
  readonly pepper: KeyObject;
  /** Still accepted while its credentials move to `pepper`. */
  readonly previousPepper: KeyObject | undefined;
}

export type VerifiedAccounts = Pick<
  Accounts,
  'keepPepperFingerprint' | 'findPepperFingerprints' | 'changePepperFingerprints' | 'countByPepper'
>;

/**
 * Refuses peppers that do not fit the stored credentials: valid credentials would count as wrong. Stores the peppers of a
 * new database, the second pepper of a rotation, and its end.
 * @throws StartupError
 */
export async function verifyPeppers(
  accounts: VerifiedAccounts,
  peppers: Peppers,
  now: () => number = Date.now,
): Promise<void> {
  for (;;) {
    const kept = await accounts.findPepperFingerprints();
    if (kept === undefined) {
      await accounts.keepPepperFingerprint(fingerprintOf(peppers.pepper));
      continue;
    }
    const fitting = await fittingFingerprints(accounts, kept, peppers, now);
    if (fitting === kept || (await accounts.changePepperFingerprints(kept, fitting))) return;
  }
}

/**
 * Returns the fingerprints to store: `kept`, if nothing changes. Keeps a pepper that this process does not have only by
 * refusing it; drops one without live credentials.
 * @throws StartupError
 */
export async function fittingFingerprints(
  accounts: Pick<Accounts, 'countByPepper'>,
  kept: PepperFingerprints,
  { pepper, previousPepper }: Peppers,
  now: () => number,
): Promise<PepperFingerprints> {
  const own = [pepper, ...(previousPepper ? [previousPepper] : [])].map(fingerprintOf);
  const stored = [kept.first, ...(kept.second ? [kept.second] : [])];
  const known = stored.filter((fingerprint) => includes(own, fingerprint));
  if (known.length === 0) throw otherPepper();
  const missing = stored.find((fingerprint) => !includes(own, fingerprint));
  if (missing !== undefined) {
    const left = countOf(pepperIdOf(missing), kept, await accounts.countByPepper(now()));
    if (left > 0) throw missingPepper(missing, left);
  }
  const added = own.filter((fingerprint) => !includes(stored, fingerprint));
  if (missing === undefined && added.length === 0) return kept;
  const [first, second] = [...known, ...added];
  return { first: first ?? kept.first, ...(second !== undefined && { second }) };
}

/** Returns the number of credentials under a pepper. Those without a pepper id belong to the first one. */
export function countOf(
  id: string,
  kept: PepperFingerprints | undefined,
  counts: readonly PepperCount[],
): number {
  const firstId = kept && pepperIdOf(kept.first);
  const own = counts.filter(({ pepperId = firstId }) => pepperId === id);
  return own.reduce((sum, { credentials }) => sum + credentials, 0);
}

function includes(fingerprints: readonly Buffer[], wanted: Buffer): boolean {
  return fingerprints.some((fingerprint) => fingerprint.equals(wanted));
}

function otherPepper(): StartupError {
  return new StartupError(
    'The credentials in the database belong to another pepper, and none of them works with this one. Restore the ' +
      'pepper that the database was first used with: the file credential-pepper in the data folder (DATA_DIR), or ' +
      'the value of CREDENTIAL_PEPPER, which overrides the file. To replace it, set CREDENTIAL_PEPPER_PREVIOUS to it.',
  );
}

function missingPepper(fingerprint: Buffer, left: number): StartupError {
  return new StartupError(
    `The pepper ${pepperIdOf(fingerprint)} is missing, and ${String(left)} credentials in the database do not work without ` +
      'it. Set CREDENTIAL_PEPPER_PREVIOUS to it until `jobs-delete pepper status` shows no credential of it.',
  );
}
