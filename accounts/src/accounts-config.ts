import {
  databaseForm,
  databaseUrl,
  readStorage,
  storageVariables,
  type DatabaseUrl,
  type Storage,
} from '@jobs-delete/runtime/config/storage-url';
import { described, secret } from '@jobs-delete/runtime/config/variables';
import { z } from 'zod';
import { pepperProblem, type PepperSource } from './pepper/load-pepper.ts';

const pepperForm = z.string().min(32, { error: 'must have at least 32 characters' });

/** The variables of a program that reads the accounts; `readAccountsConfig` combines them. */
export const accountsVariables = {
  ...storageVariables,
  ACCOUNTS_DATABASE_URL: secret(
    described(databaseForm.optional(), {
      fallback: 'that of `DATABASE_URL`',
      text: 'database of accounts and rate limits; lets gateways use [their own user](least-privilege.md)',
    }),
  ),
  CREDENTIAL_PEPPER: secret(
    described(pepperForm.optional(), {
      fallback: 'a file in `DATA_DIR`',
      text: 'key of the stored credential hashes, at least 32 characters; required on MongoDB, the same for all gateways',
    }),
  ),
  CREDENTIAL_PEPPER_PREVIOUS: secret(
    pepperForm
      .optional()
      .describe('a second pepper that is accepted during a [rotation](operations.md#replace-the-pepper)'),
  ),
};

type AccountsVariables = z.output<z.ZodObject<typeof accountsVariables>>;

/** Where the accounts are, with the peppers of their credentials. */
export type AccountsConfig = Required<PepperSource>;

/** Returns the database of the accounts: that of the jobs, unless ACCOUNTS_DATABASE_URL names another or another user. */
export function readAccountsDatabase(
  { ACCOUNTS_DATABASE_URL: url }: Pick<AccountsVariables, 'ACCOUNTS_DATABASE_URL'>,
  { database }: Pick<Storage, 'database'>,
): DatabaseUrl {
  return url === undefined ? database : databaseUrl(url);
}

export function readAccountsConfig(values: AccountsVariables): {
  readonly accounts: AccountsConfig;
  /** By variable. */
  readonly secrets: Pick<AccountsVariables, 'CREDENTIAL_PEPPER' | 'CREDENTIAL_PEPPER_PREVIOUS'>;
  readonly problems: readonly string[];
} {
  const { CREDENTIAL_PEPPER, CREDENTIAL_PEPPER_PREVIOUS } = values;
  const storage = readStorage(values);
  const accounts = {
    dataDir: storage.dataDir,
    database: readAccountsDatabase(values, storage),
    credentialPepper: CREDENTIAL_PEPPER,
    previousCredentialPepper: CREDENTIAL_PEPPER_PREVIOUS,
  };
  const problem = pepperProblem(accounts);
  const secrets = { CREDENTIAL_PEPPER, CREDENTIAL_PEPPER_PREVIOUS };
  return { accounts, secrets, problems: problem === undefined ? [] : [problem] };
}
