import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface ConnectionBalancer {
  readonly baseUrl: string;
  /** Sends new connections to this port too. */
  add(port: number): void;
  /** Sends it no new connections. Open connections stay. */
  remove(port: number): void;
  stop(): Promise<void>;
}

/**
 * Balances connections, not requests, like a Kubernetes Service. Bytes arrive with a delay, so both sides may send
 * at the same time.
 */
export async function startConnectionBalancer(latencyMs: number): Promise<ConnectionBalancer> {
  const ports: number[] = [];
  const open = new Set<Socket>();
  let turn = 0;
  const carry = (from: Socket, to: Socket) => {
    open.add(from);
    const afterAWhile = (act: () => void) => void setTimeout(act, latencyMs);
    from.on('data', (bytes) => afterAWhile(() => to.writable && to.write(bytes)));
    from.on('end', () => afterAWhile(() => to.end()));
    // Its close event follows.
    from.on('error', () => undefined);
    from.on('close', (broken) => {
      open.delete(from);
      if (broken) afterAWhile(() => to.destroy());
    });
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const port = ports[turn++ % ports.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    const gateway = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
    carry(client, gateway);
    carry(gateway, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    add: (port) => void ports.push(port),
    remove: (port) => {
      const index = ports.indexOf(port);
      if (index >= 0) ports.splice(index, 1);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
