import {
  connectivityState,
  status,
  type ChannelCredentials,
  type ClientDuplexStream,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import {
  askHealth,
  callerMetadata,
  channelOptions,
  hasCode,
  type HealthAnswer,
} from '@jobs-delete/proto/client-channel';
import type { AcceptDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { AcceptDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { ListJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsResponse';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { Fault } from '@jobs-delete/runtime/fault';
import { lossOf, outcomeOf, outcomeOfError, type OnOutcome } from './answer.ts';
import { createRequestStream, type RequestStream } from './request-stream.ts';

type AcceptCall = ClientDuplexStream<AcceptDeletionsRequest, AcceptDeletionsResponse__Output>;

export type LinkState = 'ready' | 'connecting' | 'down';

/** The connection to one replica of the deleter service. */
export interface Connection {
  readonly address: string;
  /** Returns the state of the link. Connects when it is not connected. */
  link(): LinkState;
  /** Sends one attempt: a large request by its own call, a small one on the stream. Calls `onOutcome` later, once. */
  deleteJobs(request: DeleteJobsRequest, deadlineMs: number, onOutcome: OnOutcome): void;
  /** @throws ServiceError */
  getDeletion(deletion: DeletionName, limits: ReadLimits): Promise<Deletion__Output>;
  /** @throws ServiceError */
  cancelDeletion(cancellation: CancellationCall, limits: ReadLimits): Promise<Deletion__Output>;
  /**
   * Calls `onState` with the deletion as it is, and again at each change. Resolves when it is completed or cancelled.
   * @throws ServiceError
   */
  watchDeletion(deletion: DeletionName, limits: ReadLimits, onState: OnState): Promise<void>;
  /** @throws ServiceError */
  listJobs(range: JobRange, limits: ReadLimits): Promise<ListJobsResponse__Output>;
  askHealth(timeoutMs: number): Promise<HealthAnswer>;
  /** Reads a deletion that does not exist. Resolves to true if the deleter and its database answered. */
  tryRead(timeoutMs: number): Promise<boolean>;
  /** Ends the calls in progress. */
  close(): void;
}

export interface DeletionName {
  readonly accountId: string;
  readonly deletionId: string;
}

export interface JobRange {
  readonly accountId: string;
  /** Only ids after this one; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

export interface CancellationCall extends DeletionName {
  readonly origin: RequestOrigin;
}

export interface ReadLimits {
  readonly deadlineMs: number;
  /** Cancels the call, which then fails with CANCELLED. */
  readonly signal?: AbortSignal;
}

export type OnState = (deletion: Deletion__Output) => void;

export interface ConnectionOptions {
  /** Called for each request: the token may change. */
  readonly serviceToken: (() => string | undefined) | undefined;
  readonly security: ChannelCredentials;
  /** The name in the server's certificate; undefined for the address itself. */
  readonly hostName: string | undefined;
  /** The longest time until the deadline of a request. */
  readonly timeoutMs: number;
}

/** Streams are replaced after this time, so that the server can close the connection and checks the token again. */
const rotateMs = 15_000;

/** `address` is `HOST:PORT`. */
export type Connect = (address: string) => Connection;

export function createConnect({ serviceToken, security, hostName, timeoutMs }: ConnectionOptions): Connect {
  const metadataOf = callerMetadata(serviceToken);
  const options = { ...channelOptions, ...(hostName !== undefined && authorityOf(hostName)) };

  return (address) => {
    const scheme = address.startsWith('[') ? 'ipv6' : 'ipv4';
    const client = new DeleterService(`${scheme}:${address}`, security, options);
    const streams = createStreams((metadata) =>
      // Past this deadline no request of the stream waits any more.
      client.AcceptDeletions(metadata, { deadline: Date.now() + rotateMs + timeoutMs }),
    );
    let wasReady = false;
    const connection: Connection = {
      address,
      link: () => {
        const link = linkOf(client.getChannel().getConnectivityState(true));
        // The server closes the connection: an open stream would keep it.
        if (wasReady && link !== 'ready') streams.rotate();
        wasReady = link === 'ready';
        return link;
      },
      deleteJobs: (request, deadline, onOutcome) => {
        if ((request.jobIds?.length ?? 0) < largeRequestJobs) {
          streams.current(metadataOf()).send(request, deadline, onOutcome);
          return;
        }
        client.DeleteJobs(request, metadataOf(), { deadline }, (error, response) => {
          if (error === null) onOutcome(outcomeOf({ response: response ?? null }));
          else onOutcome(outcomeOfError(error), lossOf(error));
        });
      },
      getDeletion: ({ accountId, deletionId }, { deadlineMs: deadline, signal }) =>
        answerTo(signal, (settle) =>
          client.GetDeletion({ accountId, deletionId }, metadataOf(), { deadline }, settle),
        ),
      cancelDeletion: (cancellation, { deadlineMs: deadline, signal }) =>
        answerTo(signal, (settle) => client.CancelDeletion(cancellation, metadataOf(), { deadline }, settle)),
      watchDeletion: ({ accountId, deletionId }, { deadlineMs: deadline, signal }, onState) =>
        new Promise((resolve, reject) => {
          const call = client.WatchDeletion({ accountId, deletionId }, metadataOf(), { deadline });
          cancelOn(signal, call);
          call.on('data', onState).on('error', reject).on('end', resolve);
        }),
      listJobs: ({ accountId, after, limit }, { deadlineMs: deadline, signal }) =>
        answerTo(signal, (settle) =>
          client.ListJobs({ accountId, after, limit }, metadataOf(), { deadline }, settle),
        ),
      askHealth: (timeoutMs) => askHealth(client, metadataOf(), timeoutMs),
      tryRead: (timeoutMs) => tryRead(connection, timeoutMs),
      close: () => {
        streams.close();
        client.close();
      },
    };
    return connection;
  };
}

function authorityOf(hostName: string) {
  return { 'grpc.ssl_target_name_override': hostName, 'grpc.default_authority': hostName };
}

/** Opens a stream when one is needed, and another one after `rotateMs` or with other metadata. */
function createStreams(open: (metadata: Metadata) => AcceptCall) {
  const all = new Set<RequestStream>();
  let latest: { readonly stream: RequestStream; readonly metadata: Metadata } | undefined;
  const finish = (stream: RequestStream) => {
    if (latest?.stream === stream) latest = undefined;
    stream.finish();
  };
  const rotate = () => {
    if (latest !== undefined) finish(latest.stream);
  };
  return {
    rotate,
    current: (metadata: Metadata): RequestStream => {
      if (latest?.metadata === metadata) return latest.stream;
      rotate();
      const stream = createRequestStream(open(metadata), () => {
        clearTimeout(timer);
        all.delete(stream);
        if (latest?.stream === stream) latest = undefined;
      });
      const timer = setTimeout(finish, rotateMs, stream).unref();
      all.add(stream);
      latest = { stream, metadata };
      return stream;
    },
    close: () => {
      for (const stream of all) stream.cancel();
    },
  };
}

/** Resolves to the answer of a call. @throws ServiceError */
function answerTo<Response>(
  signal: AbortSignal | undefined,
  start: (settle: (error: ServiceError | null, response?: Response) => void) => { cancel(): void },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = start((error, response) => {
      if (error !== null) reject(error);
      else if (response !== undefined) resolve(response);
      else reject(new Fault('internal', 'deleter: an answer is empty'));
    });
    cancelOn(signal, call);
  });
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
