import type { ServiceError, status } from '@grpc/grpc-js';

/** A closed channel throws other errors. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

export function hasCode(error: unknown, code: status): error is ServiceError {
  return isServiceError(error) && error.code === code;
}
