import { createHmac, type KeyObject } from 'node:crypto';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import type { Accounts } from '../accounts.ts';

/**
 * Refuses a pepper that isn't the one the database was first used with: every stored credential would be answered
 * as a wrong one, and those issued now would be lost when the right pepper is back.
 * @throws StartupError that says what to restore
 */
export async function requirePepper(
  accounts: Pick<Accounts, 'keepPepperFingerprint'>,
  pepper: KeyObject,
): Promise<void> {
  if ((await accounts.keepPepperFingerprint(fingerprintOf(pepper))) === 'same') return;
  throw new StartupError(
    'The credentials in the database belong to another pepper, and none of them works with this one. Restore the ' +
      'pepper that the database was first used with: the file credential-pepper in the data folder (DATA_DIR), or ' +
      'the value of CREDENTIAL_PEPPER, which wins over the file.',
  );
}

/** What is hashed is no credential's text, so a fingerprint is no credential's hash. */
function fingerprintOf(pepper: KeyObject): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the credential pepper').digest();
}
