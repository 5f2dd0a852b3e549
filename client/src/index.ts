export { JobsDeleteClient, type JobOutcome } from './jobs-delete-client.ts';
export type { Attempt, ClientOptions, Retry } from './client-options.ts';
export type { DeleteJobsOptions, JobIds, Progress } from './delete-jobs.ts';
export type {
  Journal,
  JournalTarget,
  JournaledRequest,
  RequestOutcome,
  UnfinishedRequest,
} from './journal.ts';
export type { CredentialInfo, ListJobsOptions, WhoAmI } from './read-account.ts';
export { DeletionCancelledError, type DeletionStatus, type RemovedDeletion } from './deletion-status.ts';
export {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  IncompleteError,
  InvalidRequestError,
  NotFoundError,
  ProblemError,
  ServerError,
  TooManyRequestsError,
  UnauthenticatedError,
  type AcceptedDeletion,
  type ProblemDocument,
  type ProblemEntry,
  type RefusedJob,
  type Report,
  type UnknownRequest,
} from './errors.ts';
