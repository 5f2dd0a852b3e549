import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Body of the response, unless the status is 200. */
  readonly text: string;
}

/**
 * One keep-alive HTTP/1.1 connection for one request at a time. It sends prepared bytes: Node's own client needs as
 * much CPU as a server, and would slow down the measured system on the same machine.
 */
export interface HttpConnection {
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

/** @param source the address to connect from; the system's choice by default */
export async function openConnection(port: number, source?: string): Promise<HttpConnection> {
  const local = source === undefined ? {} : { localAddress: source };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...local });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const reader = new AnswerReader(socket);
  return {
    send: (request) => {
      const answer = reader.next();
      socket.write(request);
      return answer;
    },
    close: () => socket.destroy(),
  };
}

const headEnd = Buffer.from('\r\n\r\n');
const chunkedEnd = Buffer.from('\r\n0\r\n\r\n');

class AnswerReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Body length of the current response. -1 before the head is complete, Infinity for a chunked body. */
  #length = -1;
  #status = 0;
  #resolve: ((answer: Answer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('the server closed the connection')));
  }

  next(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#length < 0) this.#readHead();
    if (this.#length < 0) return;
    if (this.#length === Infinity ? this.#endsChunked() : this.#bytes >= this.#length) this.#end();
  }

  #readHead(): void {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const end = all.indexOf(headEnd);
    if (end < 0) return;
    this.#chunks = [all];
    const head = all.toString('latin1', 0, end);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#length = length === undefined ? Infinity : end + headEnd.length + Number(length);
    if (length === undefined && !/\r\ntransfer-encoding: *chunked/i.test(head))
      this.#reject?.(new Error(`a response without a length:\n${head}`));
  }

  /** Only one request is in flight, so nothing follows the last chunk. */
  #endsChunked(): boolean {
    const tail = Buffer.concat(this.#chunks.slice(-chunkedEnd.length));
    return tail.subarray(-chunkedEnd.length).equals(chunkedEnd);
  }

  #end(): void {
    const text = this.#status === 200 ? '' : Buffer.concat(this.#chunks).toString('utf8');
    const answer = { status: this.#status, text };
    this.#chunks = [];
    this.#bytes = 0;
    this.#length = -1;
    this.#resolve?.(answer);
  }
}
