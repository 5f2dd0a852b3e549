import { existsSync } from 'node:fs';
import { ConfigurationError, StartupError } from '@jobs-delete/runtime/startup-error';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from '../accounts.ts';
import { pepperPath, readOrCreatePepper, readPreviousPepper } from './read-or-create-pepper.ts';
import { fittingFingerprints, verifyPeppers, type Peppers, type VerifiedAccounts } from './verify-peppers.ts';

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
