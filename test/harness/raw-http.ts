import { connect, type Socket } from 'node:net';
import { until } from './until.ts';

export interface RawAnswer {
  readonly status: number;
  /** Names are in lower case. Values of a repeated header are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A connection that sends exactly the given bytes. */
export interface RawConnection {
  readonly socket: Socket;
  write(bytes: string | Buffer): void;
  /** All answers so far, with interim answers. */
  answers(): RawAnswer[];
  /** Resolves when at least this many answers have arrived. */
  untilAnswers(count: number): Promise<RawAnswer[]>;
  /** Resolves with all answers when the server has closed its side. */
  untilClosed(): Promise<RawAnswer[]>;
  /** Resolves when the server stops reading, although this side stays open. */
  untilReset(): Promise<void>;
  destroy(): void;
}

export async function openRaw(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const chunks: Buffer[] = [];
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let closed = false;
  const close = () => {
    closed = true;
  };
  for (const event of ['error', 'end', 'close']) socket.on(event, close);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));

  const received = () => Buffer.concat(chunks).toString('latin1');
  const answers = () => parseAnswers(received());
  const wait = async <Result>(what: string, condition: () => Result | undefined): Promise<Result> => {
    try {
      return await until(condition, { what });
    } catch (error) {
      throw new Error(`${what} is missing in: ${received().slice(0, 2_000)}`, { cause: error });
    }
  };
  return {
    socket,
    write: (bytes) => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    },
    answers,
    untilAnswers: (count) =>
      wait(`answer ${count}`, () => (answers().length >= count ? answers() : undefined)),
    untilClosed: () => wait('the end', () => (closed ? answers() : undefined)),
    untilReset: () =>
      wait('the reset', () => {
        if (socket.destroyed) return true;
        socket.write('\r\n');
        return undefined;
      }).then(() => undefined),
    destroy: () => socket.destroy(),
  };
}

/** Sends the bytes on one connection, and waits until the server closes it. */
export async function exchange(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer[]> {
  const connection = await openRaw(baseUrl);
  try {
    connection.write(bytes);
    return await connection.untilClosed();
  } finally {
    connection.destroy();
  }
}

/** Parses complete answers. `received` has one byte per character. */
function parseAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const [name = '', value = ''] = line.split(/: ?(.*)/s, 2);
      const key = name.toLowerCase();
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const length = status === 100 ? 0 : Number(headers['content-length']);
    const body = rest.slice(end + 4, end + 4 + length);
    if (Number.isNaN(status) || Number.isNaN(length))
      throw new Error(`not an HTTP response: ${rest.slice(0, 200)}`);
    if (body.length < length) return answers;
    answers.push({ status, headers, text: Buffer.from(body, 'latin1').toString('utf8') });
    rest = rest.slice(end + 4 + length);
  }
}

/** Returns whether the port accepts a new connection. */
export function accepts(baseUrl: string): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
