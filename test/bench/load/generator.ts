import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { JobsDeleteClient } from '@jobs-delete/client';
import { openConnection, type HttpConnection } from './http-connection.ts';
import {
  jobId,
  requestBytes,
  sharedClockMs,
  type LoadOrder,
  type LoadReport,
  type UnauthenticatedOrder,
  type UnauthenticatedReport,
} from './orders.ts';

// A process that only sends, the same for every measured system. It runs the orders of its parent, one at a time, until
// the parent disconnects. Its first argument says how it sends.
const senders = { requests: runLoad, client: runClient, unauthenticated: runUnauthenticated };
export type SenderName = keyof typeof senders;

const send = senders[process.argv[2] as SenderName] as (order: unknown) => Promise<unknown>;
process.on('message', (order) => {
  send(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
  );
});
process.once('disconnect', () => process.exit(0));

/** Keeps the cell's number of requests in flight, one per connection, until all are sent or the time is over. */
async function runLoad(order: LoadOrder): Promise<LoadReport> {
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

/** Sends the same order with the TypeScript client. */
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

let lastToken = 0;

async function runUnauthenticated(order: UnauthenticatedOrder): Promise<UnauthenticatedReport> {
  const { port, path, addresses, connections, idle, slow, seconds } = order;
  const until = sharedClockMs() + seconds * 1_000;
  const sourceOf = (index: number) => {
    const address = index % addresses;
    return `127.0.${String(1 + Math.floor(address / 250))}.${String(1 + (address % 250))}`;
  };
  const answers: Record<string, number> = {};
  const count = (status: string) => (answers[status] = (answers[status] ?? 0) + 1);
  const run = async (index: number) => {
    let connection: HttpConnection | undefined;
    while (sharedClockMs() < until) {
      try {
        connection ??= await openConnection(port, sourceOf(index));
        count(String((await connection.send(nextRequest(path))).status));
      } catch {
        count('closed');
        connection = undefined;
      }
    }
    connection?.close();
  };
  const held = Array.from({ length: idle + slow }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: sourceOf(index) });
    socket.on('error', () => undefined).once('close', () => count('closed'));
    if (index >= idle) socket.write(`DELETE ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `);
    return socket;
  });
  const slowOnes = held.slice(idle);
  const feed = setInterval(() => slowOnes.forEach((socket) => socket.write('a')), 1_000);
  await Promise.all([
    delay(idle + slow > 0 ? seconds * 1_000 : 0),
    ...Array.from({ length: connections }, (_, index) => run(index)),
  ]);
  clearInterval(feed);
  held.forEach((socket) => socket.removeAllListeners('close').destroy());
  return Object.fromEntries(
    Object.entries(answers).map(([status, total]) => [status, Math.round(total / seconds)]),
  );
}

/** Each request has another unknown token. */
function nextRequest(path: string): Buffer {
  lastToken += 1;
  const token = `jdt_${lastToken.toString(16).padStart(24, '0')}_${'0'.repeat(64)}`;
  return Buffer.from(
    `DELETE ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
  );
}
