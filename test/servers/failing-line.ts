import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';

/** The way to the server, which can fail while the server does not. */
export interface Line {
  readonly url: string;
  /** As if nobody were there. */
  cut(): void;
  /** Connections stay, and nothing gets through. */
  swallow(): void;
  /** Once the command is on its way: it does not get to the server. */
  cutAt(command: string): void;
  /** The command still gets to the server; the line is cut when that answers. */
  cutBeforeAnswerTo(command: string): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openLine(serverUrl: string): Promise<Line> {
  const to = await primaryOf(serverUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  let lastCommand: string | undefined;
  let lostCommand: string | undefined;

  const drop = (next: typeof state) => {
    state = next;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connectSocket(to.port, to.host);
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
    client.on('data', (data) => {
      if (state !== 'open') return;
      if (lostCommand !== undefined && data.includes(lostCommand)) {
        lostCommand = undefined;
        drop('cut');
        return;
      }
      if (lastCommand !== undefined && data.includes(lastCommand)) {
        lastCommand = undefined;
        state = 'silent';
        upstream.once('data', () => drop('cut'));
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (state === 'open') client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: throughLine(serverUrl, port),
    cut: () => drop('cut'),
    swallow: () => {
      state = 'silent';
    },
    cutAt: (command) => {
      lostCommand = command;
    },
    cutBeforeAnswerTo: (command) => {
      lastCommand = command;
    },
    mend: () => {
      state = 'open';
    },
    close: async () => {
      drop('cut');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The one server that takes writes, where the URL names several. */
async function primaryOf(serverUrl: string): Promise<{ host: string; port: number }> {
  const named = /^mongodb:\/\/(?:[^@/]*@)?([^/?]*)/.exec(serverUrl)?.[1] ?? '';
  const connection = await openMongo(serverUrl);
  const hello = await databaseOf(connection).admin().command({ hello: 1 });
  await connection.close();
  const [host = '', port = '27017'] = (named.includes(',') ? String(hello.primary) : named).split(':');
  return { host, port: Number(port) };
}

function throughLine(serverUrl: string, port: number): string {
  const [path = '', query] = serverUrl.split('?');
  const parameters = new URLSearchParams(query);
  parameters.delete('replicaSet');
  parameters.set('directConnection', 'true');
  const login = /^mongodb:\/\/(?:[^@/]*@)?/.exec(path)?.[0] ?? '';
  return `${login}127.0.0.1:${String(port)}/${path.split('/').at(-1) ?? ''}?${parameters.toString()}`;
}
