import {
  accountsDatabaseVariables,
  readAccountsDatabase,
  readStorage,
  storageVariables,
} from '@jobs-delete/runtime/config/storage-url';
import { z } from 'zod';
import { pepperProblem, type PepperSource } from './pepper/load-pepper.ts';

const pepperVariable = z.string().min(32, { error: 'must have at least 32 characters' }).optional();

/** The variables of a service that reads the accounts; `readAccountsConfig` combines them. */
export const accountsVariables = {
  ...storageVariables,
  ...accountsDatabaseVariables,
  CREDENTIAL_PEPPER: pepperVariable,
  CREDENTIAL_PEPPER_PREVIOUS: pepperVariable,
};

type AccountsVariables = z.output<z.ZodObject<typeof accountsVariables>>;

/** Where the accounts are, with the peppers of their credentials. */
export type AccountsConfig = Required<PepperSource>;

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
