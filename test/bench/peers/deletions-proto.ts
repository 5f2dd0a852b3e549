import { join } from 'node:path';
import { loadPackageDefinition, type Client, type ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { benchFolder } from '../folders.ts';

export interface DeleteJobsRequest {
  readonly account_id: string;
  readonly job_ids: string[];
}
export interface DeleteJobsResponse {
  readonly found: boolean;
  readonly deletion_id: string;
}

export interface DeletionsClient extends Client {
  deleteJobs(
    request: DeleteJobsRequest,
    options: { readonly deadline: number },
    callback: (error: Error | null, response: DeleteJobsResponse) => void,
  ): void;
}

const definition = loadSync(join(benchFolder, 'peers/deletions.proto'), { keepCase: true, defaults: true });
// Typed by hand after deletions.proto: no types are generated for a peer.
const loaded = loadPackageDefinition(definition) as unknown as {
  bench: { deletions: { v1: { Deletions: DeletionsConstructor } } };
};
interface DeletionsConstructor {
  new (...args: ConstructorParameters<typeof Client>): DeletionsClient;
  readonly service: ServiceDefinition;
}

export const { Deletions } = loaded.bench.deletions.v1;

/** Enough for 10,000 ids of the maximum length. */
export const messageLimits = {
  'grpc.max_receive_message_length': 8 * 2 ** 20,
  'grpc.max_send_message_length': 8 * 2 ** 20,
} as const;
