import { createHmac, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ConfigurationError, StartupError } from '@jobs-delete/runtime/startup-error';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from '../accounts.ts';
import { pepperPath, readOrCreatePepper } from './read-or-create-pepper.ts';

export interface PepperSource {
  readonly database: DatabaseUrl;
  readonly dataDir: string;
  readonly credentialPepper: string | undefined;
}

type PepperAccounts = Pick<
  Accounts,
  'keepPepperFingerprint' | 'findPepperFingerprint' | 'listAccounts' | 'listCredentials'
>;

/**
 * Returns the pepper of the database: the one it was first used with. Creates one only for a database without credentials.
 * @throws StartupError when the pepper is missing, damaged or another one
 */
export async function loadPepper(accounts: PepperAccounts, source: PepperSource): Promise<KeyObject> {
  const problem = pepperProblem(source);
  if (problem !== undefined) throw new ConfigurationError([problem]);
  if (isPepperMissing(source) && (await needsPepper(accounts))) throw lostPepper(source);
  const pepper = readOrCreatePepper(source.dataDir, source.credentialPepper);
  await verifyPepper(accounts, pepper);
  return pepper;
}

/**
 * Checks that the pepper fits the credentials of the database. Stores and creates nothing.
 * @throws StartupError when it is missing, damaged or another one
 */
export async function examinePepper(
  accounts: Omit<PepperAccounts, 'keepPepperFingerprint'>,
  source: PepperSource,
): Promise<'fits' | 'not needed'> {
  if (!(await needsPepper(accounts))) return 'not needed';
  if (isPepperMissing(source)) throw lostPepper(source);
  const kept = await accounts.findPepperFingerprint();
  const own = fingerprintOf(readOrCreatePepper(source.dataDir, source.credentialPepper));
  if (kept !== undefined && !kept.equals(own)) throw otherPepper();
  return 'fits';
}

function isPepperMissing({ dataDir, credentialPepper }: PepperSource): boolean {
  return !credentialPepper && !existsSync(pepperPath(dataDir));
}

/** Returns whether the database has a fingerprint, or credentials from a release without fingerprints. */
async function needsPepper(accounts: Omit<PepperAccounts, 'keepPepperFingerprint'>): Promise<boolean> {
  if ((await accounts.findPepperFingerprint()) !== undefined) return true;
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
}: Pick<PepperSource, 'database' | 'credentialPepper'>): string | undefined {
  const isMissing = database.kind === 'mongodb' && credentialPepper === undefined;
  return isMissing
    ? 'CREDENTIAL_PEPPER: must be set, to the same value wherever the database is used'
    : undefined;
}

/**
 * Refuses a pepper other than the one the database was first used with. Every stored credential would count as wrong, and
 * new ones would stop working once the right pepper is back.
 * @throws StartupError
 */
export async function verifyPepper(
  accounts: Pick<Accounts, 'keepPepperFingerprint'>,
  pepper: KeyObject,
): Promise<void> {
  if ((await accounts.keepPepperFingerprint(fingerprintOf(pepper))) !== 'same') throw otherPepper();
}

function otherPepper(): StartupError {
  return new StartupError(
    'The credentials in the database belong to another pepper, and none of them works with this one. Restore the ' +
      'pepper that the database was first used with: the file credential-pepper in the data folder (DATA_DIR), or ' +
      'the value of CREDENTIAL_PEPPER, which overrides the file.',
  );
}

/** No credential has this text, so the fingerprint is the hash of no credential. */
function fingerprintOf(pepper: KeyObject): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the credential pepper').digest();
}
