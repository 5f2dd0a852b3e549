import { z } from 'zod';

/** The collection and fields of the jobs in MongoDB. Companies may use an existing collection. */
export interface JobsMapping {
  readonly collection: string;
  /** The field of the job's id that callers use. */
  readonly idField: string;
  readonly accountField: string;
  /** A field that changes with every update of a job; undefined if there is none. */
  readonly versionField?: string | undefined;
  /** The field with the title of a job, which may be a nested one. A job without it has no title. */
  readonly titleField: string;
}

export const defaultJobsMapping: JobsMapping = {
  collection: 'jobs',
  idField: 'id',
  accountField: 'account_id',
  titleField: 'posting.title',
};

export const jobsMappingVariables = {
  JOBS_COLLECTION: name().default(defaultJobsMapping.collection).describe('MongoDB collection of the jobs'),
  JOBS_ID_FIELD: name().default(defaultJobsMapping.idField).describe('its field with the id of a job'),
  JOBS_ACCOUNT_FIELD: name()
    .default(defaultJobsMapping.accountField)
    .describe('its field with the account of a job'),
  JOBS_VERSION_FIELD: name()
    .optional()
    .describe(
      'a field that changes with every update of a job; a job that changed after its acceptance is kept',
    ),
  JOBS_TITLE_FIELD: name()
    .default(defaultJobsMapping.titleField)
    .describe('its field with the title of a job, which the dashboard shows'),
};

export function readJobsMapping(values: z.output<z.ZodObject<typeof jobsMappingVariables>>): JobsMapping {
  return {
    collection: values.JOBS_COLLECTION,
    idField: values.JOBS_ID_FIELD,
    accountField: values.JOBS_ACCOUNT_FIELD,
    versionField: values.JOBS_VERSION_FIELD,
    titleField: values.JOBS_TITLE_FIELD,
  };
}

function name() {
  return z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,119}$/, { error: 'must be the name of a collection or field' });
}
