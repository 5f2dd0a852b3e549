import { status, type ServiceError } from '@grpc/grpc-js';
import { hasCode } from '@jobs-delete/proto/service-error';
import {
  readDeletionRefusal,
  readStatusTrailer,
  type DeletionRefusal,
} from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
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

type DeleteJobs = (request: DeletionRequest) => Promise<DeletionOutcome>;

/** Logs the first call that the api denies: people only see that the service does not check their jobs. */
export function logDenied(deleteJobs: DeleteJobs, log: Pick<Logger, 'error'>): DeleteJobs {
  let isLogged = false;
  return async (request) => {
    try {
      return await deleteJobs(request);
    } catch (error) {
      const isDenied = error instanceof Fault && hasCode(error.cause, status.PERMISSION_DENIED);
      if (isDenied && !isLogged) {
        isLogged = true;
        log.error(
          { err: error },
          'DASHBOARD_DELETES is on, but the api does not let the dashboard delete: give its caller manage-and-delete in GRPC_CALLERS of the api',
        );
      }
      throw error;
    }
  };
}
