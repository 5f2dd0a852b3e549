import {
  jobsMappingVariables,
  readJobsMapping,
  type JobsMapping,
} from '@jobs-delete/deleter-service/store/jobs-mapping';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { readStorage, storageVariables, type Storage } from '@jobs-delete/runtime/config/storage-url';
import { z } from 'zod';

/** Environment variables of every command except `serve`. */
export interface CliConfig extends Storage {
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
      ...jobsMappingVariables,
      CREDENTIAL_PEPPER: z.string().optional(),
      CREDENTIAL_PEPPER_PREVIOUS: z.string().optional(),
      DASHBOARD_URL: z
        .string()
        .regex(/^https?:\/\/[^\s/?#@\\]+\/?$/, {
          error: 'must be an address without a path, such as https://dashboard.example.com',
        })
        .transform((url) => url.replace(/\/$/, ''))
        .default('http://localhost:8081'),
    },
    env,
  );
  return Object.freeze({
    ...readStorage(values),
    jobsMapping: readJobsMapping(values),
    credentialPepper: values.CREDENTIAL_PEPPER,
    previousCredentialPepper: values.CREDENTIAL_PEPPER_PREVIOUS,
    dashboardUrl: values.DASHBOARD_URL,
  });
}
