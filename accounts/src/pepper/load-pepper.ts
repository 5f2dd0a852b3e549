import { createHmac, type KeyObject } from 'node:crypto';
import { ConfigurationError, StartupError } from '@jobs-delete/runtime/startup-error';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from '../accounts.ts';
import { readOrCreatePepper } from './read-or-create-pepper.ts';

export interface PepperSource {
  readonly database: DatabaseUrl;
  readonly dataDir: string;
  readonly credentialPepper: string | undefined;
}

/**
 * Returns the pepper of the database: the one it was first used with.
 * @throws StartupError when the pepper is missing, damaged or another one
 */
export async function loadPepper(
  accounts: Pick<Accounts, 'keepPepperFingerprint'>,
  source: PepperSource,
): Promise<KeyObject> {
  const problem = pepperProblem(source);
  if (problem !== undefined) throw new ConfigurationError([problem]);
  const pepper = readOrCreatePepper(source.dataDir, source.credentialPepper);
  await verifyPepper(accounts, pepper);
  return pepper;
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
  if ((await accounts.keepPepperFingerprint(fingerprintOf(pepper))) === 'same') return;
  throw new StartupError(
    'The credentials in the database belong to another pepper, and none of them works with this one. Restore the ' +
      'pepper that the database was first used with: the file credential-pepper in the data folder (DATA_DIR), or ' +
      'the value of CREDENTIAL_PEPPER, which overrides the file.',
  );
}

/** No credential has this text, so the fingerprint is the hash of no credential. */
function fingerprintOf(pepper: KeyObject): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the credential pepper').digest();
}
