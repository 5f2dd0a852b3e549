import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';

const unused = () => {
  throw new Error('not to be called');
};

/** Serves the given methods of a deleter on a free port. */
export async function serveDeleter(handlers: Partial<DeleterServiceHandlers>) {
  const server = new Server();
  server.addService(DeleterService.service, {
    AcceptDeletions: unused,
    DeleteJobs: unused,
    GetDeletion: unused,
    ListDeletions: unused,
    CountDeletions: unused,
    ListJobs: unused,
    GetJob: unused,
    CountJobs: unused,
    WatchDeletion: unused,
    ...handlers,
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return { address: `127.0.0.1:${String(port)}`, stop: () => server.forceShutdown() };
}
