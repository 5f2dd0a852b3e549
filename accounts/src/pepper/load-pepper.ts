import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ConfigurationError, StartupError } from '@jobs-delete/runtime/startup-error';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts, PepperCount, PepperFingerprints } from '../accounts.ts';
import { fingerprintOf, pepperIdOf } from '../credentials/credential.ts';
import { pepperPath, readOrCreatePepper, readPreviousPepper } from './read-or-create-pepper.ts';

export interface PepperSource {
  readonly database: DatabaseUrl;
  readonly dataDir: string;
  readonly credentialPepper: string | undefined;
  readonly previousCredentialPepper?: string | undefined;
}

type ExaminedAccounts = Pick<
  Accounts,
  'findPepperFingerprints' | 'countByPepper' | 'listAccounts' | 'listCredentials'
>;

/**
 * Returns the peppers of the database: the one it was first used with, and those of a rotation. Creates one only for a
 * database without credentials.
 * @throws StartupError when a pepper is missing, damaged or another one
 */
export async function loadPeppers(
  accounts: VerifiedAccounts & ExaminedAccounts,
  source: PepperSource,
): Promise<Peppers> {
  const problem = pepperProblem(source);
  if (problem !== undefined) throw new ConfigurationError([problem]);
  if (isPepperMissing(source) && (await needsPepper(accounts))) throw lostPepper(source);
  const peppers = readPeppers(source);
  await verifyPeppers(accounts, peppers);
  return peppers;
}

/**
 * Checks that the peppers fit the credentials of the database. Stores and creates nothing.
 * @throws StartupError when one is missing, damaged or another one
 */
export async function examinePepper(
  accounts: ExaminedAccounts,
  source: PepperSource,
): Promise<'fits' | 'not needed'> {
  if (!(await needsPepper(accounts))) return 'not needed';
  if (isPepperMissing(source)) throw lostPepper(source);
  const kept = await accounts.findPepperFingerprints();
  if (kept !== undefined) await fittingFingerprints(accounts, kept, readPeppers(source), Date.now);
  return 'fits';
}

/** Creates the file of a missing pepper. */
function readPeppers({ dataDir, credentialPepper, previousCredentialPepper }: PepperSource): Peppers {
  return {
    pepper: readOrCreatePepper(dataDir, credentialPepper),
    previousPepper: readPreviousPepper(previousCredentialPepper),
  };
}

/** Returns the configured peppers. Creates no file: a missing pepper is undefined. */
export function readExistingPeppers(source: PepperSource): Partial<Peppers> {
  if (!isPepperMissing(source)) return readPeppers(source);
  return { previousPepper: readPreviousPepper(source.previousCredentialPepper) };
}

function isPepperMissing({ dataDir, credentialPepper }: PepperSource): boolean {
  return !credentialPepper && !existsSync(pepperPath(dataDir));
}

/** Returns whether the database has a fingerprint, or credentials from a release without fingerprints. */
async function needsPepper(accounts: ExaminedAccounts): Promise<boolean> {
  if ((await accounts.findPepperFingerprints()) !== undefined) return true;
  for (const { id } of await accounts.listAccounts()) {
    for (const kind of ['token', 'secret-key'] as const)
      if ((await accounts.listCredentials(kind, id)).length > 0) return true;
  }
  return false;
}

function lostPepper({ dataDir }: PepperSource): StartupError {
  return new StartupError(
    `The pepper is missing: there is no file ${pepperPath(dataDir)}, and CREDENTIAL_PEPPER is not set. The credentials in ` +
      'the database do not work without it. Restore the file from a backup, or set CREDENTIAL_PEPPER to its content.',
  );
}

/** Returns what is wrong with the configuration, or undefined. Machines that share a database share no pepper file. */
export function pepperProblem({
  database,
  credentialPepper,
  previousCredentialPepper,
}: Pick<PepperSource, 'database' | 'credentialPepper' | 'previousCredentialPepper'>): string | undefined {
  if (database.kind === 'mongodb' && credentialPepper === undefined)
    return 'CREDENTIAL_PEPPER: must be set, to the same value wherever the database is used';
  if (previousCredentialPepper !== undefined && previousCredentialPepper === credentialPepper)
    return 'CREDENTIAL_PEPPER_PREVIOUS: must differ from CREDENTIAL_PEPPER; remove it after a rotation';
  return undefined;
}

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
async function fittingFingerprints(
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
