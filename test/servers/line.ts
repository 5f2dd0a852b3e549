import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';

/** A TCP connection to a server. It can fail, or be slow, while the server works. */
export interface Line {
  readonly port: number;
  /** Closes all connections, and refuses new ones. */
  cut(): void;
  /** Keeps all connections open, accepts new ones, and forwards nothing. */
  swallow(): void;
  /** Forwards nothing more on the open connections, like a firewall that dropped them. New ones work. */
  loseConnections(): void;
  /** Forwards the server's bytes this much later. */
  delayAnswers(ms: number): void;
  /** Cuts when the client sends this command. The server does not receive it. */
  cutAt(command: string): void;
  /** Cuts when the server answers this command. The client does not receive the answer. */
  cutBeforeAnswerTo(command: string): void;
  /** Forwards again. */
  mend(): void;
  close(): Promise<void>;
}

interface Faults {
  state: 'open' | 'silent' | 'cut';
  delayMs: number;
  cutAt?: string | undefined;
  cutBeforeAnswerTo?: string | undefined;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  isLost: boolean;
}

export async function openLine(to: { readonly host?: string; readonly port: number }): Promise<Line> {
  const faults: Faults = { state: 'open', delayMs: 0 };
  const pairs = new Set<Pair>();
  const cut = () => {
    faults.state = 'cut';
    for (const { client } of pairs) client.destroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    if (faults.state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', ...to, noDelay: true });
    const pair = { client, upstream, isLost: false };
    pairs.add(pair);
    closeTogether(pair, () => pairs.delete(pair));
    carryRequests(pair, faults, cut);
    carryAnswers(pair, faults);
  });
  return {
    port: await listen(server),
    cut,
    swallow: () => void (faults.state = 'silent'),
    loseConnections: () => {
      for (const pair of pairs) pair.isLost = true;
    },
    delayAnswers: (ms) => void (faults.delayMs = ms),
    cutAt: (command) => void (faults.cutAt = command),
    cutBeforeAnswerTo: (command) => void (faults.cutBeforeAnswerTo = command),
    mend: () => void (faults.state = 'open'),
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function carryRequests(pair: Pair, faults: Faults, cut: () => void): void {
  const { client, upstream } = pair;
  client.on('data', (bytes) => {
    if (pair.isLost || faults.state !== 'open') return;
    if (faults.cutAt !== undefined && bytes.includes(faults.cutAt)) {
      faults.cutAt = undefined;
      cut();
      return;
    }
    if (faults.cutBeforeAnswerTo !== undefined && bytes.includes(faults.cutBeforeAnswerTo)) {
      faults.cutBeforeAnswerTo = undefined;
      faults.state = 'silent';
      upstream.once('data', cut);
    }
    upstream.write(bytes);
  });
}

/** Delayed bytes keep their order, also when the delay gets shorter. */
function carryAnswers(pair: Pair, faults: Faults): void {
  let waiting = 0;
  let lastSent = Promise.resolve();
  pair.upstream.on('data', (bytes) => {
    if (pair.isLost || faults.state !== 'open') return;
    if (faults.delayMs === 0 && waiting === 0) {
      pair.client.write(bytes);
      return;
    }
    waiting++;
    const due = delay(faults.delayMs, undefined, { ref: false });
    lastSent = Promise.all([due, lastSent]).then(() => {
      waiting--;
      if (pair.client.writable) pair.client.write(bytes);
    });
  });
}

function closeTogether({ client, upstream }: Pair, onClose: () => void): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      other.destroy();
      onClose();
    });
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A line to the primary of a replica set. */
export interface MongoLine extends Line {
  /** The server's URL, through this line. */
  readonly url: string;
}

export async function openMongoLine(serverUrl: string): Promise<MongoLine> {
  const line = await openLine(await primaryOf(serverUrl));
  return { ...line, url: throughLine(serverUrl, line.port) };
}

/** Returns a single host unchanged: it is the primary, but a container reports an unreachable address. */
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
