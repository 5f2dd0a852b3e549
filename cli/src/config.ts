import {
  jobsMappingVariables,
  readJobsMapping,
  type JobsMapping,
} from '@jobs-delete/deleter-service/store/jobs-mapping';
import { dashboardUrlVariable } from '@jobs-delete/runtime/config/dashboard-url';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import type { PepperSource } from '@jobs-delete/accounts/pepper/load-pepper';
import {
  accountsDatabaseVariables,
  readAccountsDatabase,
  readStorage,
  storageVariables,
  type DatabaseUrl,
  type Storage,
} from '@jobs-delete/runtime/config/storage-url';
import { z } from 'zod';

/** Environment variables of every command except `serve`. */
export interface CliConfig extends Storage {
  readonly accountsDatabase: DatabaseUrl;
  readonly jobsMapping: JobsMapping;
  /** Undefined: read from the file in the data folder. */
  readonly credentialPepper: string | undefined;
  readonly previousCredentialPepper: string | undefined;
  /** The address of the dashboard for the links of invitations, without a final slash. */
  readonly dashboardUrl: string;
}

/** @throws ConfigurationError naming every invalid variable */
export function readCliConfig(env: NodeJS.ProcessEnv): CliConfig {
  const values = readEnvironment(
    {
      ...storageVariables,
      ...accountsDatabaseVariables,
      ...jobsMappingVariables,
      CREDENTIAL_PEPPER: z.string().optional(),
      CREDENTIAL_PEPPER_PREVIOUS: z.string().optional(),
      DASHBOARD_URL: dashboardUrlVariable.optional(),
    },
    env,
  );
  const storage = readStorage(values);
  return Object.freeze({
    ...storage,
    accountsDatabase: readAccountsDatabase(values, storage),
    jobsMapping: readJobsMapping(values),
    credentialPepper: values.CREDENTIAL_PEPPER,
    previousCredentialPepper: values.CREDENTIAL_PEPPER_PREVIOUS,
    dashboardUrl: values.DASHBOARD_URL ?? 'http://localhost:8081',
  });
}

/** Returns the source of the peppers of the accounts. */
export function pepperSource(config: CliConfig): PepperSource {
  return { ...config, database: config.accountsDatabase };
}
