import { status } from '@grpc/grpc-js';
import type { BatchDeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/BatchDeleteJobsResponse';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import { GrpcError } from './grpc-error.ts';

export const maxRequestsPerBatch = 2_000;

/** Answers each request independently. The group commit of the store combines them. */
export async function batchDeleteJobs(
  requests: readonly DeleteJobsRequest__Output[],
  deleteOne: (request: DeleteJobsRequest__Output) => Promise<DeleteJobsResponse>,
  report: (error: unknown) => GrpcError,
): Promise<BatchDeleteJobsResponse> {
  if (requests.length === 0 || requests.length > maxRequestsPerBatch) {
    const description = `must hold 1 to ${String(maxRequestsPerBatch)} requests`;
    throw new GrpcError(status.INVALID_ARGUMENT, 'The request is not valid.', [
      { kind: 'bad-request', violations: [{ field: 'requests', description }] },
    ]);
  }
  const results = requests.map((request) =>
    deleteOne(request).then(
      (response) => ({ response }),
      (error: unknown) => ({ error: report(error).status }),
    ),
  );
  return { results: await Promise.all(results) };
}
