import { connectivityState, status, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js';
import { askHealth, type HealthAnswer } from '@jobs-delete/proto/ask-health';
import { callerMetadata, channelOptions } from '@jobs-delete/proto/client-channel';
import type { BatchDeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/BatchDeleteJobsResponse';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { hasCode } from '@jobs-delete/proto/service-error';

export type LinkState = 'ready' | 'connecting' | 'down';

/** One deleter at one address. */
export interface Connection {
  readonly address: string;
  /** Returns the state of the link. Connects when it is not connected. */
  link(): LinkState;
  /** @throws ServiceError, or what the channel throws once it is closed */
  deleteJobs(requests: DeleteJobsRequest[], deadlineMs: number): Promise<readonly DeleteJobsResult__Output[]>;
  /** @throws ServiceError */
  getDeletion(deletion: DeletionName, limits: ReadLimits): Promise<Deletion__Output>;
  /**
   * Calls `onState` with the deletion as it is, and again at each change. Resolves when it is completed.
   * @throws ServiceError
   */
  watchDeletion(deletion: DeletionName, limits: ReadLimits, onState: OnState): Promise<void>;
  askHealth(timeoutMs: number): Promise<HealthAnswer>;
  /** Reads a deletion that does not exist. Resolves to true if the deleter and its database answered. */
  tryRead(timeoutMs: number): Promise<boolean>;
  close(): void;
}

export interface DeletionName {
  readonly accountId: string;
  readonly deletionId: string;
}

export interface ReadLimits {
  readonly deadlineMs: number;
  /** Cancels the call, which then fails with CANCELLED. */
  readonly signal?: AbortSignal;
}

export type OnState = (deletion: Deletion__Output) => void;

export interface ConnectionOptions {
  /** Called for each call: the token may change. */
  readonly serviceToken: (() => string | undefined) | undefined;
  readonly security: ChannelCredentials;
  /** The name in the server's certificate; undefined for the address itself. */
  readonly hostName: string | undefined;
}

/** `address` is `HOST:PORT`. */
export type Connect = (address: string) => Connection;

export function createConnect({ serviceToken, security, hostName }: ConnectionOptions): Connect {
  const metadataOf = callerMetadata(serviceToken);
  const options = {
    ...channelOptions,
    ...(hostName !== undefined && {
      'grpc.ssl_target_name_override': hostName,
      'grpc.default_authority': hostName,
    }),
  };

  return (address) => {
    const scheme = address.startsWith('[') ? 'ipv6' : 'ipv4';
    const client = new DeleterService(`${scheme}:${address}`, security, options);
    const connection: Connection = {
      address,
      link: () => linkOf(client.getChannel().getConnectivityState(true)),
      deleteJobs: (requests, deadline) =>
        new Promise((resolve, reject) => {
          const settle = (error: ServiceError | null, response?: BatchDeleteJobsResponse__Output) => {
            if (error !== null) reject(error);
            else resolve(response?.results ?? []);
          };
          client.BatchDeleteJobs({ requests }, metadataOf(), { deadline }, settle);
        }),
      getDeletion: ({ accountId, deletionId }, { deadlineMs: deadline, signal }) =>
        new Promise((resolve, reject) => {
          const settle = (error: ServiceError | null, deletion?: Deletion__Output) => {
            if (error !== null) reject(error);
            else if (deletion !== undefined) resolve(deletion);
          };
          cancelOn(signal, client.GetDeletion({ accountId, deletionId }, metadataOf(), { deadline }, settle));
        }),
      watchDeletion: ({ accountId, deletionId }, { deadlineMs: deadline, signal }, onState) =>
        new Promise((resolve, reject) => {
          const call = client.WatchDeletion({ accountId, deletionId }, metadataOf(), { deadline });
          cancelOn(signal, call);
          call.on('data', onState).on('error', reject).on('end', resolve);
        }),
      askHealth: (timeoutMs) => askHealth(client, metadataOf(), timeoutMs),
      tryRead: (timeoutMs) => tryRead(connection, timeoutMs),
      close: () => client.close(),
    };
    return connection;
  };
}

/** Keeps its listener: a signal belongs to one call. */
function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): void {
  if (signal?.aborted === true) call.cancel();
  else signal?.addEventListener('abort', () => call.cancel(), { once: true });
}

const unansweredCodes = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED];

async function tryRead({ getDeletion }: Connection, timeoutMs: number): Promise<boolean> {
  const nothing = { accountId: 'none', deletionId: 'none' };
  try {
    await getDeletion(nothing, { deadlineMs: Date.now() + timeoutMs });
    return true;
  } catch (error) {
    return !unansweredCodes.some((code) => hasCode(error, code));
  }
}

function linkOf(state: connectivityState): LinkState {
  if (state === connectivityState.READY) return 'ready';
  return state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN
    ? 'down'
    : 'connecting';
}
