import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { isImproper } from './is-improper.ts';
import { originForm } from './origin-form.ts';
import { takeTurns } from './take-turns.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** From the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its last. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** For which nothing moves on a connection with a request on it; longer than any answer takes. */
  readonly idleTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Of the listener, where it has its own. */
  readonly messageClasses?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  /** Any further one is closed at once. */
  readonly maxConnections: number;
  /** Told of the status with which something was refused here that is no request to the listener. */
  readonly onImproper?: (status: number) => void;
  readonly onConnectionDropped?: () => void;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Goes on serving, but from now on each answer is its connection's last, so that callers connect anew, elsewhere: one
   * who sends a request on a connection while `stop` ends it could not know what has become of it.
   */
  drain(): void;
  /** Refuses new connections, lets requests in flight finish, cuts them off after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * The HTTP layer: what is no proper HTTP request ends here, with its connection.
 * @throws StartupError when the port can't be had
 */
export async function startHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = createServer({
    ...options.messageClasses,
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: 500,
    // A request without a Host is refused below, like the other improper ones.
    requireHostHeader: false,
  });
  // Headers past a count would be dropped without a word; their size is limited instead.
  server.maxHeadersCount = 0;
  server.timeout = options.idleTimeoutMs;
  server.maxConnections = options.maxConnections;
  server.on('drop', () => options.onConnectionDropped?.());
  const { onImproper } = options;

  const connections = new WeakMap<Socket, Connection>();
  const connectionOf = (socket: Socket): Connection => {
    const connection = connections.get(socket) ?? {
      owed: [],
      latest: undefined,
      doomed: false,
      // Pipelined requests must not hold the event loop: other connections have their turn between them.
      start: takeTurns(socket),
    };
    connections.set(socket, connection);
    return connection;
  };
  const owing = new Set<Connection>();
  let draining = false;
  const drain = () => {
    draining = true;
    for (const { latest } of owing) if (latest !== undefined) closeAfter(latest, undefined);
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request.socket);
    // What follows an improper request on its connection is not to be trusted to be a request at all.
    if (connection.doomed) return;
    const target = originForm(request.url ?? '');
    if (request.httpVersionMajor !== 1) doom(connection, request.socket, 505, onImproper);
    else if (target === undefined || isImproper(request)) doom(connection, request.socket, 400, onImproper);
    else {
      request.url = target;
      const before = connection.latest;
      owe(connection, response);
      owing.add(connection);
      response.once('close', () => connection.owed.length === 0 && owing.delete(connection));
      if (draining) closeAfter(response, before);
      connection.start(() => {
        // The caller may be gone by now, or refused.
        if (request.socket.writable) listener(request, response);
      });
    }
  };
  server.on('connection', connectionOf);
  server.on('request', serve);
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    doom(connectionOf(socket), socket, 400, onImproper);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    if (error.code === 'ECONNRESET') socket.destroy();
    else doom(connectionOf(socket), socket, statusOfClientError(error.code), onImproper);
  });

  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        drain();
        const cutOff = setTimeout(() => server.closeAllConnections(), deadlineMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
      }),
  };
}

function listen(server: ReturnType<typeof createServer>, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new StartupError(`PORT: cannot listen on ${host}:${String(port)}: ${error.message}`, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
}

/** Says that this answer is the connection's last: Node keeps a connection open for the next request even then. */
function closeAfter(last: ServerResponse, before: ServerResponse | undefined): void {
  if (before !== undefined && !before.headersSent) before.shouldKeepAlive = true;
  if (!last.headersSent) last.shouldKeepAlive = false;
}

interface Connection {
  /** Not finished, in the order of their requests. */
  readonly owed: ServerResponse[];
  /** To the request that was read last. */
  latest: ServerResponse | undefined;
  /** Nothing more is read from it as a request. */
  doomed: boolean;
  /** Starts the work on a request. */
  readonly start: (act: () => void) => void;
}

function owe(connection: Connection, response: ServerResponse): void {
  connection.latest = response;
  connection.owed.push(response);
  response.once('close', () => connection.owed.splice(connection.owed.indexOf(response), 1));
}

/**
 * Refuses what was read last and ends the connection, once the requests before it have their answers. Where the
 * fault is in the rest of a request that has its own answer already, there is no second one.
 */
function doom(
  connection: Connection,
  socket: Socket,
  status: number,
  onImproper: HttpServerOptions['onImproper'],
): void {
  if (connection.doomed) return;
  connection.doomed = true;
  const { owed, latest } = connection;
  const broken = latest?.req.complete === false ? latest : undefined;
  const before = owed.filter((response) => response !== broken).at(-1);
  afterwards(before, () => {
    if (broken?.headersSent) afterwards(owed.includes(broken) ? broken : undefined, () => endFor(socket));
    else {
      if (broken === undefined) onImproper?.(status);
      // The listener knows of it, and is told by this what became of it.
      else broken.statusCode = status;
      endFor(socket, refusal(status));
    }
  });
}

function afterwards(response: ServerResponse | undefined, act: () => void): void {
  if (response === undefined) act();
  else response.once('close', act);
}

function statusOfClientError(code: string | undefined): 400 | 408 | 431 | 505 {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return 505;
    default:
      return 400;
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  505: 'HTTP Version Not Supported',
};

function refusal(status: number): string {
  return [
    `HTTP/1.1 ${String(status)} ${reasons[status] ?? ''}`,
    `Request-Id: ${randomUUID()}`,
    'Content-Language: fr',
    'Cache-Control: no-store',
    'Content-Length: 0',
    'Connection: close',
    '\r\n',
  ].join('\r\n');
}

/** How long a caller that was refused may take to close its side, having read why. */
const lingerMs = 1_000;

function endFor(socket: Socket, lastWords = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(lastWords);
  const cutOff = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cutOff));
}
