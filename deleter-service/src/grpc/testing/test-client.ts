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
import type { AllowDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/AllowDeletionsRequest';
import type { CancelDeletionRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/CancelDeletionRequest';
import type { ChangeSafetyRulesRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/ChangeSafetyRulesRequest';
import type { CountDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsRequest';
import type { CountDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsResponse';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { GetSafetyRulesRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetSafetyRulesRequest';
import type { ListDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import type { CountJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountJobsRequest';
import type { CountJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountJobsResponse';
import type { GetJobRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetJobRequest';
import type { Job__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Job';
import type { ListJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsRequest';
import type { ListJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsResponse';
import type { NumberedOutcome__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedOutcome';
import type { NumberedRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedRequest';
import type { SafetyRules__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SafetyRules';
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

export interface TestClient {
  deleteJobs(request: DeleteJobsRequest, options?: CallOptions): Promise<DeleteJobsResponse__Output>;
  /** Sends one message, ends its half of the stream, and yields the outcomes as they come. */
  acceptDeletions(requests: NumberedRequest[], options?: CallOptions): AsyncIterable<NumberedOutcome__Output>;
  cancelDeletion(request: CancelDeletionRequest, options?: CallOptions): Promise<Deletion__Output>;
  getDeletion(request: GetDeletionRequest, options?: CallOptions): Promise<Deletion__Output>;
  listDeletions(request: ListDeletionsRequest, options?: CallOptions): Promise<ListDeletionsResponse__Output>;
  countDeletions(
    request: CountDeletionsRequest,
    options?: CallOptions,
  ): Promise<CountDeletionsResponse__Output>;
  listJobs(request: ListJobsRequest, options?: CallOptions): Promise<ListJobsResponse__Output>;
  getJob(request: GetJobRequest, options?: CallOptions): Promise<Job__Output>;
  countJobs(request: CountJobsRequest, options?: CallOptions): Promise<CountJobsResponse__Output>;
  /** Yields every message until the server ends the stream. */
  watchDeletion(request: GetDeletionRequest, options?: CallOptions): AsyncIterable<Deletion__Output>;
  getSafetyRules(request: GetSafetyRulesRequest, options?: CallOptions): Promise<SafetyRules__Output>;
  changeSafetyRules(request: ChangeSafetyRulesRequest, options?: CallOptions): Promise<SafetyRules__Output>;
  allowDeletions(request: AllowDeletionsRequest, options?: CallOptions): Promise<SafetyRules__Output>;
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
  return {
    deleteJobs: (request, options) =>
      answerTo((callback) => client.DeleteJobs(request, ...contextOf(options), callback)),
    async *acceptDeletions(requests, options) {
      const call = client.AcceptDeletions(...contextOf(options));
      call.end({ requests });
      for await (const message of readAll(call)) yield* (message as AcceptDeletionsResponse__Output).outcomes;
    },
    cancelDeletion: (request, options) =>
      answerTo((callback) => client.CancelDeletion(request, ...contextOf(options), callback)),
    getDeletion: (request, options) =>
      answerTo((callback) => client.GetDeletion(request, ...contextOf(options), callback)),
    listDeletions: (request, options) =>
      answerTo((callback) => client.ListDeletions(request, ...contextOf(options), callback)),
    countDeletions: (request, options) =>
      answerTo((callback) => client.CountDeletions(request, ...contextOf(options), callback)),
    listJobs: (request, options) =>
      answerTo((callback) => client.ListJobs(request, ...contextOf(options), callback)),
    getJob: (request, options) =>
      answerTo((callback) => client.GetJob(request, ...contextOf(options), callback)),
    countJobs: (request, options) =>
      answerTo((callback) => client.CountJobs(request, ...contextOf(options), callback)),
    async *watchDeletion(request, options) {
      const call = client.WatchDeletion(request, ...contextOf(options));
      for await (const deletion of readAll(call)) yield deletion as Deletion__Output;
    },
    getSafetyRules: (request, options) =>
      answerTo((callback) => client.GetSafetyRules(request, ...contextOf(options), callback)),
    changeSafetyRules: (request, options) =>
      answerTo((callback) => client.ChangeSafetyRules(request, ...contextOf(options), callback)),
    allowDeletions: (request, options) =>
      answerTo((callback) => client.AllowDeletions(request, ...contextOf(options), callback)),
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

type Callback<Response> = (error: ServiceError | null, response?: Response) => void;

function answerTo<Response>(call: (callback: Callback<Response>) => void): Promise<Response> {
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
