import {
  credentials,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  type ChannelCredentials,
  type ServiceError,
  type status,
} from '@grpc/grpc-js';
import type { AcceptDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { NumberedOutcome__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedOutcome';
import type { NumberedRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedRequest';
import { BadRequest, DeleterService, ResourceInfo, Status } from '@jobs-delete/proto/load-deleter';
import { readStatusTrailer, readUnavailableJobs } from '@jobs-delete/proto/status-details';

/** The library also prints errors that it reports to the caller, such as a port in use. */
setLogVerbosity(logVerbosity.NONE);

export interface CallOptions {
  readonly deadlineMs?: number;
  readonly token?: string;
  readonly traceparent?: string;
}

/** A call that failed, with its details unpacked. */
export class CallError extends Error {
  readonly code: status;
  readonly violations: readonly { field: string; description: string }[];
  readonly resources: readonly { resourceType: string; resourceName: string }[];
  /** Positions. */
  readonly missing: readonly number[] | undefined;
  /** The size of the trailer with the details. */
  readonly detailBytes: number;

  constructor({ code, details, metadata }: ServiceError) {
    super(details);
    this.code = code;
    const status = readStatusTrailer(metadata);
    const packed = status?.details ?? [];
    const ofType = (name: string) =>
      packed.filter(({ type_url }) => type_url === `type.googleapis.com/${name}`);
    this.violations = ofType('google.rpc.BadRequest').flatMap(
      ({ value }) => BadRequest.deserialize(value).fieldViolations,
    );
    this.resources = ofType('google.rpc.ResourceInfo').map(({ value }) => {
      const { resourceType, resourceName } = ResourceInfo.deserialize(value);
      return { resourceType, resourceName };
    });
    this.missing = status && readUnavailableJobs(status);
    this.detailBytes = status === undefined ? 0 : Status.serialize(status).length;
  }
}

type Client = InstanceType<typeof DeleterService>;

const unaryMethods = [
  'deleteJobs',
  'cancelDeletion',
  'getDeletion',
  'listDeletions',
  'countDeletions',
  'listJobs',
  'getJob',
  'getJobTitles',
  'searchJobs',
  'countJobs',
  'getSafetyRules',
  'changeSafetyRules',
  'allowDeletions',
] as const;

type UnaryCalls = {
  readonly [Name in (typeof unaryMethods)[number]]: (
    request: Parameters<Client[Name]>[0],
    options?: CallOptions,
  ) => Promise<NonNullable<Parameters<Parameters<Client[Name]>[1]>[1]>>;
};

export interface TestClient extends UnaryCalls {
  /** Sends one message, ends its half of the stream, and yields the outcomes as they come. */
  acceptDeletions(requests: NumberedRequest[], options?: CallOptions): AsyncIterable<NumberedOutcome__Output>;
  /** Yields every message until the server ends the stream. */
  watchDeletion(request: GetDeletionRequest, options?: CallOptions): AsyncIterable<Deletion__Output>;
  close(): void;
}

/** Connects a real client. */
export function connectTestClient(
  port: number,
  host = '127.0.0.1',
  security: ChannelCredentials = credentials.createInsecure(),
): TestClient {
  const client = new DeleterService(`${host}:${port}`, security, {
    'grpc.max_send_message_length': 16 * 1024 * 1024,
    'grpc.max_receive_message_length': 16 * 1024 * 1024,
    'grpc.use_local_subchannel_pool': 1,
  });
  const unary = unaryMethods.map((name) => {
    const call = client[name].bind(client) as (...values: readonly unknown[]) => unknown;
    const send = (request: unknown, options?: CallOptions) =>
      answerTo((callback) => call(request, ...contextOf(options), callback));
    return [name, send];
  });
  return {
    ...(Object.fromEntries(unary) as UnaryCalls),
    async *acceptDeletions(requests, options) {
      const call = client.AcceptDeletions(...contextOf(options));
      call.end({ requests });
      for await (const message of readAll(call)) yield* (message as AcceptDeletionsResponse__Output).outcomes;
    },
    async *watchDeletion(request, options) {
      const call = client.WatchDeletion(request, ...contextOf(options));
      for await (const deletion of readAll(call)) yield deletion as Deletion__Output;
    },
    close: () => client.close(),
  };
}

/** Yields every message; cancels the call when its reader stops. */
async function* readAll(call: AsyncIterable<unknown> & { cancel(): void }): AsyncIterable<unknown> {
  try {
    for await (const message of call) yield message;
  } catch (error) {
    throw new CallError(error as ServiceError);
  } finally {
    call.cancel();
  }
}

type Callback = (error: ServiceError | null, response?: unknown) => void;

function answerTo(call: (callback: Callback) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error !== null) reject(new CallError(error));
      else if (response === undefined) reject(new Error('there was no answer'));
      else resolve(response);
    });
  });
}

function contextOf({ token, traceparent, deadlineMs = 10_000 }: CallOptions = {}) {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  if (traceparent !== undefined) metadata.set('traceparent', traceparent);
  return [metadata, { deadline: Date.now() + deadlineMs }] as const;
}
