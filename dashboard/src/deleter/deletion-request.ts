import type { ServiceError } from '@grpc/grpc-js';
import {
  readDeletionRefusal,
  readStatusTrailer,
  type DeletionRefusal,
} from '@jobs-delete/proto/status-details';
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

export type DeletionOutcome = { readonly kind: 'accepted' } | DeletionRefusal;

/** Returns undefined for an error that is no refusal. */
export function refusalOf({ metadata }: ServiceError): DeletionRefusal | undefined {
  const sent = readStatusTrailer(metadata);
  return sent && readDeletionRefusal(sent);
}
