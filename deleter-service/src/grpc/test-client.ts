import {
  credentials,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  type ChannelCredentials,
  type ServiceError,
  type status,
} from '@grpc/grpc-js';
import type { BatchDeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/BatchDeleteJobsResponse';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { ListDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import { BadRequest, DeleterService, ResourceInfo, Status } from '@jobs-delete/proto/load-deleter';
import { readStatusTrailer, readUnavailableJobs } from '@jobs-delete/proto/status-details';

/** The library prints what it reports anyway, such as a port that is taken. */
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
  readonly missing: { positions: number[]; truncated: boolean } | undefined;
  /** Of the trailer that carries the details. */
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
  batchDeleteJobs(requests: DeleteJobsRequest[], options?: CallOptions): Promise<DeleteJobsResult__Output[]>;
  getDeletion(request: GetDeletionRequest, options?: CallOptions): Promise<Deletion__Output>;
  listDeletions(request: ListDeletionsRequest, options?: CallOptions): Promise<ListDeletionsResponse__Output>;
  /** Every message until the server ends the stream. */
  watchDeletion(request: GetDeletionRequest, options?: CallOptions): AsyncIterable<Deletion__Output>;
  close(): void;
}

/** A real client over a real connection. */
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
  const metadataOf = ({ token, traceparent }: CallOptions) => {
    const metadata = new Metadata();
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
    if (traceparent !== undefined) metadata.set('traceparent', traceparent);
    return metadata;
  };
  const deadlineOf = ({ deadlineMs = 10_000 }: CallOptions) => ({ deadline: Date.now() + deadlineMs });
  const settle =
    <Response>(resolve: (response: Response) => void, reject: (error: Error) => void) =>
    (error: ServiceError | null, response?: Response) => {
      if (error !== null) reject(new CallError(error));
      else if (response === undefined) reject(new Error('there was no answer'));
      else resolve(response);
    };

  return {
    deleteJobs: (request, options = {}) =>
      new Promise((resolve, reject) => {
        client.DeleteJobs(request, metadataOf(options), deadlineOf(options), settle(resolve, reject));
      }),
    batchDeleteJobs: async (requests, options = {}) => {
      const { results } = await new Promise<BatchDeleteJobsResponse__Output>((resolve, reject) => {
        client.BatchDeleteJobs(
          { requests },
          metadataOf(options),
          deadlineOf(options),
          settle(resolve, reject),
        );
      });
      return results;
    },
    getDeletion: (request, options = {}) =>
      new Promise((resolve, reject) => {
        client.GetDeletion(request, metadataOf(options), deadlineOf(options), settle(resolve, reject));
      }),
    listDeletions: (request, options = {}) =>
      new Promise((resolve, reject) => {
        client.ListDeletions(request, metadataOf(options), deadlineOf(options), settle(resolve, reject));
      }),
    async *watchDeletion(request, options = {}) {
      const call = client.WatchDeletion(request, metadataOf(options), deadlineOf(options));
      try {
        for await (const deletion of call) yield deletion as Deletion__Output;
      } catch (error) {
        throw new CallError(error as ServiceError);
      } finally {
        call.cancel();
      }
    },
    close: () => client.close(),
  };
}
