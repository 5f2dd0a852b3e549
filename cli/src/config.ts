import {
  jobsMappingVariables,
  readJobsMapping,
  type JobsMapping,
} from '@jobs-delete/deleter-service/store/jobs-mapping';
import { readEnvironment } from '@jobs-delete/runtime/config/read-environment';
import { readStorage, storageVariables, type Storage } from '@jobs-delete/runtime/config/storage-url';
import { z } from 'zod';

/** What the commands other than `serve` read of the environment; the services read the same variables. */
export interface CliConfig extends Storage {
  readonly jobsMapping: JobsMapping;
  /** Undefined: the file in the data folder has it. */
  readonly credentialPepper: string | undefined;
}

/** @throws ConfigurationError naming every wrong variable */
export function readCliConfig(env: NodeJS.ProcessEnv): CliConfig {
  const values = readEnvironment(
    {
      ...storageVariables,
      ...jobsMappingVariables,
      CREDENTIAL_PEPPER: z.string().optional(),
    },
    env,
  );
  return Object.freeze({
    ...readStorage(values),
    jobsMapping: readJobsMapping(values),
    credentialPepper: values.CREDENTIAL_PEPPER,
  });
}
