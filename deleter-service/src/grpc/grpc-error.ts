import { status, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { statusDetails, type StatusDetail } from '@jobs-delete/proto/status-details';
import { asFault } from '@jobs-delete/runtime/fault';

/** What a handler fails with. Nothing of a driver or of another account goes into `message`. */
export class GrpcError extends Error implements ServiceError {
  override readonly name = 'GrpcError';
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;

  constructor(code: status, details: string, statusDetail: readonly StatusDetail[] = [], cause?: unknown) {
    super(details, { cause });
    this.code = code;
    this.details = details;
    this.metadata = statusDetails(code, details, statusDetail);
  }
}

/** Anything thrown, as the standard code that tells the caller what to do next. */
export function toGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  const fault = asFault(error);
  switch (fault.code) {
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
