import type { MessageCode } from './messages.ts';

export const en: Record<MessageCode, string> = {
  job_id_required: "The 'id' field is required.",
  job_id_malformed: "The 'id' field must be 4 to 128 alphanumeric characters.",
  job_id_duplicated: "Each 'id' must be unique within the request.",
  body_malformed: 'The request body is invalid.',
  too_many_jobs: 'The request holds too many jobs.',
  header_invalid: "The '{name}' header is missing or invalid.",
  idempotency_key_reused: 'The idempotency key was already used.',
  authentication_required: 'Authentication required.',
  token_invalid: 'Unauthorized. Invalid token.',
  secret_key_invalid: 'Unauthorized. Missing or invalid secret key.',
  origin_not_allowed: 'Origin not allowed.',
  query_invalid: "The '{name}' parameter is invalid.",
  deletion_not_found: 'Deletion not found.',
  deletion_not_cancellable: 'The deletion can no longer be cancelled.',
  job_not_found: 'The job was not found. It may have been deleted.',
  deletion_limit_exceeded: 'Deletion limit exceeded.',
  route_not_found: 'Resource not found.',
  method_not_allowed: 'Method not allowed.',
  body_too_large: 'The request body is too large.',
  too_many_requests: 'Too many requests.',
  internal_error: 'Internal server error.',
  unavailable: 'Service temporarily unavailable.',

  jobs_queued: 'The jobs are queued for processing.',
  job_queued: 'Job {id} is queued for processing.',
};
