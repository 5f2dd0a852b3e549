export { JobsDeleteClient } from './jobs-delete-client.ts';
export type { Attempt, ClientOptions, Retry } from './client-options.ts';
export type { DeleteJobsOptions, JobIds, Progress } from './delete-jobs.ts';
export type {
  Journal,
  JournalTarget,
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
export type { JobOutcome } from './outcomes.ts';
export type { DeletionStatus } from './deletion-status.ts';
export { DeletionCancelledError, type RemovedDeletion } from './wait-until-removed.ts';
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  ProblemError,
  ServerError,
  TooManyRequestsError,
  UnauthenticatedError,
  type ProblemDocument,
  type ProblemEntry,
} from './errors.ts';
