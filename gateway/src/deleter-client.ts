import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { readUnavailableJobs } from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import { languages, type Language } from './messages/messages.ts';

export interface DeleteJobsCall {
  readonly accountId: string;
  readonly jobIds: string[];
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
}

export type DeleteJobsAnswer =
  | {
      readonly kind: 'accepted';
      readonly deletionId: string;
      readonly replayed: boolean;
      /** Of the first answer, where this one is a replay. */
      readonly language: Language;
    }
  | { readonly kind: 'jobs-unavailable'; readonly positions: readonly number[]; readonly truncated: boolean }
  | { readonly kind: 'key-reused' };

export interface DeleterClient {
  /** @throws Fault: `unknown-outcome` when the deletion may or may not have been accepted */
  deleteJobs(call: DeleteJobsCall): Promise<DeleteJobsAnswer>;
  close(): void;
}

export interface DeleterClientOptions {
  /** `host:port` */
  readonly address: string;
  readonly serviceToken: string | undefined;
  /** For a whole call. */
  readonly timeoutMs: number;
}

export function connectDeleter({ address, serviceToken, timeoutMs }: DeleterClientOptions): DeleterClient {
  const metadata = new Metadata();
  if (serviceToken !== undefined) metadata.set('authorization', `Bearer ${serviceToken}`);
  const client = new DeleterService(address, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 8 * 1024 * 1024,
    'grpc.max_send_message_length': 8 * 1024 * 1024,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.keepalive_time_ms': 60_000,
    // A new channel a client: two gateways of one process must not close each other's.
    'grpc.use_local_subchannel_pool': 1,
  });

  return {
    deleteJobs: (call) =>
      new Promise((resolve, reject) => {
        const request = { ...call, idempotencyKey: call.idempotencyKey ?? '' };
        client.DeleteJobs(request, metadata, { deadline: Date.now() + timeoutMs }, (error, response) => {
          if (error === null && response !== undefined) resolve(accepted(response));
          else if (error === null) reject(new Fault('internal', 'the deleter answered nothing'));
          else settleError(error, resolve, reject);
        });
      }),
    close: () => client.close(),
  };
}

function accepted({ deletionId, replayed, language }: DeleteJobsResponse__Output): DeleteJobsAnswer {
  const known = languages.find((candidate) => candidate === language) ?? languages[0];
  return { kind: 'accepted', deletionId, replayed, language: known };
}

function settleError(
  error: ServiceError,
  resolve: (answer: DeleteJobsAnswer) => void,
  reject: (fault: Fault) => void,
): void {
  const unavailable = error.code === status.NOT_FOUND ? readUnavailableJobs(error.metadata) : undefined;
  if (unavailable !== undefined) resolve({ kind: 'jobs-unavailable', ...unavailable });
  else if (error.code === status.ALREADY_EXISTS) resolve({ kind: 'key-reused' });
  else reject(faultOf(error));
}

function faultOf(error: ServiceError): Fault {
  const message = `deleter: ${status[error.code]}: ${error.details}`;
  switch (error.code) {
    case status.UNAVAILABLE:
    case status.DEADLINE_EXCEEDED:
    case status.CANCELLED:
    case status.RESOURCE_EXHAUSTED:
    case status.ABORTED:
      return new Fault('unknown-outcome', message, error);
    // A service token that is not (or no longer, or not yet) valid there: for the operator to set right, not the caller.
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return new Fault('unavailable', message, error);
    default:
      return new Fault('internal', message, error);
  }
}
