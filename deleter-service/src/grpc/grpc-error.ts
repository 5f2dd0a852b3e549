import { status, type Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Status__Output } from '@jobs-delete/proto/generated/google/rpc/Status';
import { statusTrailer, toStatus, type StatusDetail } from '@jobs-delete/proto/status-details';
import { asFault } from '@jobs-delete/runtime/fault';

/** The error of a call. `message` never has details of a driver or of another account. */
export class GrpcError extends Error implements ServiceError {
  override readonly name = 'GrpcError';
  readonly code: status;
  readonly status: Status__Output;

  constructor(code: status, message: string, details: readonly StatusDetail[] = [], cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = toStatus(code, message, details);
  }

  get details(): string {
    return this.message;
  }

  get metadata(): Metadata {
    return statusTrailer(this.status);
  }
}

/** Returns INVALID_ARGUMENT for one field of a request. `description` continues the name of the field. */
export function invalidField(field: string, description: string): GrpcError {
  return new GrpcError(status.INVALID_ARGUMENT, 'The request is not valid.', [
    { kind: 'bad-request', violations: [{ field, description }] },
  ]);
}

/** @throws GrpcError if the request lacks the field */
export function requireText(field: string, value: string): void {
  if (value === '') throw invalidField(field, 'is required');
}

export function notFound(resourceType: 'deletion' | 'job', resourceName: string): GrpcError {
  return new GrpcError(status.NOT_FOUND, `The ${resourceType} was not found.`, [
    { kind: 'resource-info', resourceType, resourceName },
  ]);
}

/** Converts any error to the standard status code for the caller. */
export function toGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  const fault = asFault(error);
  switch (fault.code) {
    case 'busy':
      return new GrpcError(status.RESOURCE_EXHAUSTED, 'Too many requests wait; try again later.', [], fault);
    case 'unavailable':
      return new GrpcError(status.UNAVAILABLE, 'The storage is not available; try again.', [], fault);
    case 'unknown-outcome':
      return new GrpcError(
        status.UNAVAILABLE,
        'The outcome is unknown; ask again with the same key.',
        [],
        fault,
      );
    case 'internal':
      return new GrpcError(status.INTERNAL, 'Internal error.', [], fault);
  }
}
