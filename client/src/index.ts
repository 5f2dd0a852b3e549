export { JobsDeleteClient } from './jobs-delete-client.ts';
export type { ClientOptions } from './client-options.ts';
export type { DeleteJobsOptions, JobIds, Progress } from './delete-jobs.ts';
export type {
  Journal,
  JournaledRequest,
  RefusedPosition,
  RequestOutcome,
  UnfinishedRequest,
} from './journal.ts';
export {
  IncompleteError,
  type AcceptedDeletion,
  type RefusedJob,
  type Report,
  type UnknownRequest,
} from './report.ts';
export type { ListJobsOptions } from './list-jobs.ts';
export type { RemovedDeletion } from './wait-until-removed.ts';
export { ConnectionError, ProblemError, type ProblemDocument, type ProblemEntry } from './errors.ts';
