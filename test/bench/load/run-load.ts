import { setTimeout as delay } from 'node:timers/promises';
import { openConnection, type HttpConnection } from './http-connection.ts';
import { sharedClockMs, type LoadOrder, type LoadReport } from './load-order.ts';
import { requestBytes } from './request-bytes.ts';

/** Keeps the cell's number of requests in flight, one per connection, until all are sent or the time is over. */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const { cell, ports, seconds, keyPrefix, repeat = false } = order;
  const requests = requestBytes(order);
  const connections = await Promise.all(
    Array.from({ length: cell.inFlight }, (_, index) => openConnection(ports[index % ports.length] ?? 0)),
  );
  const latencies: number[] = [];
  let next = 0;
  let retries = 0;
  let refusal: string | undefined;
  const cpuBefore = process.cpuUsage();
  const startedAtMs = sharedClockMs();
  const deadline = startedAtMs + seconds * 1_000;

  // A 503 leaves the outcome unknown. Repeats a request with a key until another response arrives.
  const ask = async (connection: HttpConnection, request: Buffer) => {
    for (;;) {
      const answer = await connection.send(request);
      if (answer.status !== 503) return answer;
      retries++;
      if (keyPrefix === undefined && !repeat) return answer;
      await delay(100);
    }
  };
  const caller = async (connection: HttpConnection) => {
    while (refusal === undefined && sharedClockMs() < deadline) {
      const request = requests[repeat ? next++ % requests.length : next++];
      if (request === undefined) return;
      const sentAt = sharedClockMs();
      const { status, text } = await ask(connection, request);
      if (status === 200) latencies.push(sharedClockMs() - sentAt);
      else if (status !== 503) refusal ??= text;
    }
  };
  await Promise.all(connections.map(caller));
  const endedAtMs = sharedClockMs();
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();

  const sorted = Float64Array.from(latencies).sort();
  const quantile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
  return {
    startedAtMs,
    endedAtMs,
    acceptedRequests: latencies.length,
    acceptedJobs: latencies.length * cell.ids,
    issuedJobs: Math.min(next, requests.length) * cell.ids,
    retries,
    refusal,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    cpuSeconds: (user + system) / 1e6,
  };
}
