import { JobsDeleteClient } from '@jobs-delete/client';
import { jobId } from '../job-ids.ts';
import { answerOrders } from './answer-orders.ts';
import { sharedClockMs, type LoadOrder, type LoadReport } from './load-order.ts';

// The same order as for the load generator, sent by the TypeScript client.
answerOrders(runClient);

async function runClient({ ports, headers, cell, firstJob, jobs }: LoadOrder): Promise<LoadReport> {
  const client = new JobsDeleteClient({
    baseUrl: `http://127.0.0.1:${String(ports[0])}`,
    token: headers.Authorization?.replace('Bearer ', '') ?? '',
    secretKey: headers.Usersecretkey ?? '',
    origin: headers.Origin ?? '',
    userAgent: 'bench/1.0',
    format: cell.format,
    maxJobsPerRequest: cell.ids,
    concurrency: cell.inFlight,
  });
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedClockMs();
  const { acceptedJobs, deletions } = await client.deleteJobs(idsOf(firstJob, jobs));
  const endedAtMs = sharedClockMs();
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    startedAtMs,
    endedAtMs,
    acceptedRequests: deletions.length,
    acceptedJobs,
    issuedJobs: jobs,
    retries: 0,
    refusal: undefined,
    p50Ms: NaN,
    p99Ms: NaN,
    cpuSeconds: (user + system) / 1e6,
  };
}

function* idsOf(first: number, count: number) {
  for (let number = first; number < first + count; number++) yield jobId(number);
}
