import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on which connections can be lost without a sign to either end, as a firewall does. */
export interface LosingLine {
  readonly port: number;
  /** From now on nothing gets through on the connections that are open. New ones work. */
  loseConnections(): void;
  close(): Promise<void>;
}

export async function openLosingLine(toPort: number): Promise<LosingLine> {
  const pairs = new Set<{ readonly ends: readonly [Socket, Socket]; lost: boolean }>();
  let closed = false;
  const server = createServer((client) => {
    if (closed) {
      client.destroy();
      return;
    }
    const upstream = connectSocket(toPort, '127.0.0.1');
    const pair = { ends: [client, upstream] as const, lost: false };
    pairs.add(pair);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (!pair.lost) other.write(data);
      });
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    loseConnections: () => {
      for (const pair of pairs) pair.lost = true;
    },
    close: async () => {
      closed = true;
      for (const { ends } of pairs) ends.forEach((end) => end.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
