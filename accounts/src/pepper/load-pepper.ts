import type { KeyObject } from 'node:crypto';
import { ConfigurationError } from '@jobs-delete/runtime/startup-error';
import type { DatabaseUrl } from '@jobs-delete/runtime/config/storage-url';
import type { Accounts } from '../accounts.ts';
import { readPepper } from './read-pepper.ts';
import { requirePepper } from './require-pepper.ts';

export interface PepperSource {
  readonly database: DatabaseUrl;
  readonly dataDir: string;
  readonly credentialPepper: string | undefined;
}

/**
 * The pepper of the accounts' credentials. A database that several machines share can't have it in a file of one.
 * @throws StartupError when it is missing, damaged or another one
 */
export async function loadPepper(
  accounts: Pick<Accounts, 'keepPepperFingerprint'>,
  { database, dataDir, credentialPepper }: PepperSource,
): Promise<KeyObject> {
  if (database.kind === 'mongodb' && credentialPepper === undefined) {
    throw new ConfigurationError(['CREDENTIAL_PEPPER: must be set, the same for all that use the database']);
  }
  const pepper = readPepper(dataDir, credentialPepper);
  await requirePepper(accounts, pepper);
  return pepper;
}
