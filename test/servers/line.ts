import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseOf, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';

/** One way of a connection: what the client sends, or what the server sends. */
export type Direction = 'requests' | 'answers';

/** A TCP connection to a server. It can fail, or be slow, while the server works. */
export interface Line {
  readonly port: number;
  /** Closes all connections, and refuses new ones. */
  cut(): void;
  /** Keeps all connections open, accepts new ones, and forwards nothing. */
  swallow(): void;
  /** Forwards nothing more on the open connections, like a firewall that dropped them. New ones work. */
  loseConnections(): void;
  /** Delays the bytes of one direction, and limits their rate. */
  slow(direction: Direction, delayMs: number, bytesPerSecond?: number): void;
  /** Keeps one direction's bytes back until `mend`, as TCP does while packets get lost. */
  hold(direction: Direction): void;
  /** Resets each connection, in the middle of a message, after this number of further bytes in one direction. */
  resetAfter(direction: Direction, bytes: number): void;
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
  cutAt?: string | undefined;
  cutBeforeAnswerTo?: string | undefined;
  requests: Trouble;
  answers: Trouble;
  /** Resolves when the line is mended. */
  mended: Promise<void>;
}

/** The trouble of one direction. */
interface Trouble {
  /** Infinity keeps the bytes until the line is mended. */
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  readonly mostBytes?: number;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  isLost: boolean;
}

export async function openLine(to: { readonly host?: string; readonly port: number }): Promise<Line> {
  let release: () => void = () => undefined;
  const untilMended = () => new Promise<void>((resolve) => (release = resolve));
  const faults: Faults = { state: 'open', requests: {}, answers: {}, mended: untilMended() };
  const pairs = new Set<Pair>();
  const cut = () => {
    faults.state = 'cut';
    for (const { client, upstream } of pairs) {
      client.destroy();
      upstream.destroy();
    }
  };
  const server = createServer({ noDelay: true }, (client) => {
    if (faults.state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', ...to, noDelay: true });
    const pair = { client, upstream, isLost: false };
    pairs.add(pair);
    const forget = () => client.closed && upstream.closed && pairs.delete(pair);
    client.once('close', forget);
    upstream.once('close', forget);
    carry(pair, 'requests', faults, cutsOf(upstream, faults, cut));
    carry(pair, 'answers', faults);
  });
  return {
    port: await listen(server),
    cut,
    swallow: () => void (faults.state = 'silent'),
    loseConnections: () => {
      for (const pair of pairs) pair.isLost = true;
    },
    slow: (direction, delayMs, bytesPerSecond = Infinity) =>
      void (faults[direction] = { delayMs, bytesPerSecond }),
    hold: (direction) => void (faults[direction] = { delayMs: Infinity }),
    resetAfter: (direction, mostBytes) => void (faults[direction] = { mostBytes }),
    cutAt: (command) => void (faults.cutAt = command),
    cutBeforeAnswerTo: (command) => void (faults.cutBeforeAnswerTo = command),
    mend: () => {
      release();
      Object.assign(faults, { state: 'open', requests: {}, answers: {}, mended: untilMended() });
    },
    close: async () => {
      cut();
      release();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a function that looks for the commands at which the line cuts. It returns false if they must not pass. */
function cutsOf(upstream: Socket, faults: Faults, cut: () => void): (bytes: Buffer) => boolean {
  return (bytes) => {
    if (faults.cutAt !== undefined && bytes.includes(faults.cutAt)) {
      faults.cutAt = undefined;
      cut();
      return false;
    }
    if (faults.cutBeforeAnswerTo !== undefined && bytes.includes(faults.cutBeforeAnswerTo)) {
      faults.cutBeforeAnswerTo = undefined;
      faults.state = 'silent';
      upstream.once('data', cut);
    }
    return true;
  };
}

/** Forwards one direction. Delayed bytes keep their order, also when the delay gets shorter. The end comes after them. */
function carry(pair: Pair, direction: Direction, faults: Faults, mayPass = (_bytes: Buffer) => true): void {
  const { client, upstream } = pair;
  const [from, to] = direction === 'requests' ? [client, upstream] : [upstream, client];
  let counted: Trouble | undefined;
  let carried = 0;
  let waiting = 0;
  let lastSent: Promise<void> = Promise.resolve();
  const later = (act: () => void, bytes: number) => {
    const { delayMs = 0, bytesPerSecond = Infinity } = faults[direction];
    if (waiting === 0 && delayMs === 0 && bytesPerSecond === Infinity) {
      act();
      return;
    }
    waiting++;
    const { mended } = faults;
    const wait = (ms: number) =>
      ms === Infinity ? mended : Promise.race([delay(ms, undefined, { ref: false }), mended]);
    lastSent = Promise.all([wait(delayMs), lastSent])
      .then(() => wait((1_000 * bytes) / bytesPerSecond))
      .then(() => {
        waiting--;
        act();
      });
  };
  const send = (bytes: Buffer, then?: () => void) =>
    later(() => to.writable && to.write(bytes, then), bytes.length);
  from.on('data', (bytes) => {
    if (pair.isLost || faults.state !== 'open' || !mayPass(bytes)) return;
    // Counts from the beginning of the trouble.
    if (counted !== faults[direction]) [counted, carried] = [faults[direction], 0];
    carried += bytes.length;
    if (carried <= (counted.mostBytes ?? Infinity)) {
      send(bytes);
      return;
    }
    // Nothing after the gap arrives.
    pair.isLost = true;
    send(bytes.subarray(0, bytes.length / 2), () => [client, upstream].map((each) => each.resetAndDestroy()));
  });
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroySoon(), 0));
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
