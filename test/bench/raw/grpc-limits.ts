import { credentials } from '@grpc/grpc-js';
import { Deletions } from '../peers/deletions-proto.ts';
import { perSecond } from './in-flight.ts';

/** Measures small calls to an echo server in another process. */
export async function grpcLimits(port: number, seconds: number) {
  const client = new Deletions(`127.0.0.1:${String(port)}`, credentials.createInsecure());
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const request = { account_id: 'bench', job_ids: ['JB00000000'] };
      client.deleteJobs(request, { deadline: Date.now() + 10_000 }, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  const calls = await perSecond(64, seconds, call);
  client.close();
  return { 'grpc-js unary, 64 in flight, calls/s': calls };
}
