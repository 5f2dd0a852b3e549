import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP connection to a port of this machine, whose answers can be late. */
export interface DelayLine {
  readonly port: number;
  /** Holds what the server sends from now on for this long. */
  delayAnswers(ms: number): void;
  close(): Promise<void>;
}

export async function openDelayLine(serverPort: number): Promise<DelayLine> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  /** Bytes keep their order when the delay gets shorter. */
  const carryAnswers = (from: Socket, to: Socket) => {
    let lastDueMs = 0;
    from.on('data', (bytes) => {
      lastDueMs = Math.max(lastDueMs, performance.now() + delayMs);
      const waitMs = lastDueMs - performance.now();
      if (waitMs <= 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), waitMs);
    });
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: serverPort, noDelay: true });
    client.on('data', (bytes) => upstream.write(bytes));
    carryAnswers(upstream, client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    delayAnswers: (ms) => {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
