import { openConnection, type HttpConnection } from './http-connection.ts';
import { sharedClockMs } from './load-order.ts';

/** Instructions for callers with unknown tokens. */
export interface UnauthenticatedOrder {
  readonly port: number;
  readonly path: string;
  /** Number of source addresses, from 127.0.1.0 on. */
  readonly addresses: number;
  /** Each has one request in flight, without a pause. */
  readonly connections: number;
  readonly seconds: number;
}

/** Answers by status, in a second. */
export type UnauthenticatedReport = Readonly<Record<string, number>>;

// A separate process, so that its load does not delay the measured callers' own generator.
process.on('message', (order: UnauthenticatedOrder) => {
  sendUnauthenticated(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: String(error instanceof Error ? error.stack : error) }),
  );
});
process.once('disconnect', () => process.exit(0));

let lastToken = 0;

async function sendUnauthenticated({ port, path, addresses, connections, seconds }: UnauthenticatedOrder) {
  const until = sharedClockMs() + seconds * 1_000;
  const answers: Record<string, number> = {};
  const count = (status: string) => (answers[status] = (answers[status] ?? 0) + 1);
  const run = async (index: number) => {
    const address = index % addresses;
    const source = `127.0.${String(1 + Math.floor(address / 250))}.${String(1 + (address % 250))}`;
    let connection: HttpConnection | undefined;
    while (sharedClockMs() < until) {
      try {
        connection ??= await openConnection(port, source);
        count(String((await connection.send(nextRequest(path))).status));
      } catch {
        count('closed');
        connection = undefined;
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
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
