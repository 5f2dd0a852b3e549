import { status, type ServiceError } from '@grpc/grpc-js';
import { readLimitExceeded, readStatusTrailer, readUnavailableJobs } from '@jobs-delete/proto/status-details';
import type { DeletionOrigin } from './deletion.ts';

/** A deletion that a person asks for. */
export interface DeletionRequest {
  readonly accountId: string;
  /** A repetition with the same id and jobs has the first one's outcome. */
  readonly deletionId: string;
  /** 1 to 10,000 valid and distinct ids. */
  readonly jobIds: readonly string[];
  /** Only asks what would happen. */
  readonly isCheck: boolean;
  readonly origin: Pick<DeletionOrigin, 'person' | 'userAgent' | 'language' | 'requestId'>;
}

export type DeletionOutcome =
  | { readonly kind: 'accepted' }
  /** The positions of the jobs that the account does not have, or that another deletion removes. */
  | { readonly kind: 'jobs-not-found'; readonly positions: readonly number[] }
  /** Both in jobs of 24 hours. */
  | { readonly kind: 'limit-exceeded'; readonly limit: number; readonly used: number }
  /** The id belongs to a deletion of other jobs. */
  | { readonly kind: 'id-reused' };

/** Returns undefined for an error that is no refusal. */
export function readDeletionRefusal(error: ServiceError): DeletionOutcome | undefined {
  const { code, metadata } = error;
  if (code === status.ALREADY_EXISTS) return { kind: 'id-reused' };
  const sent = readStatusTrailer(metadata);
  if (sent === undefined) return undefined;
  const positions = code === status.NOT_FOUND ? readUnavailableJobs(sent) : undefined;
  if (positions !== undefined) return { kind: 'jobs-not-found', positions };
  const exceeded = code === status.FAILED_PRECONDITION ? readLimitExceeded(sent) : undefined;
  return exceeded && { kind: 'limit-exceeded', ...exceeded };
}
