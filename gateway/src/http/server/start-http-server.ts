import {
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
  createServer,
} from 'node:http';
import { type Server as TlsServer, createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import {
  type ConnectionLimitOptions,
  createConnectionLimit,
} from '@jobs-delete/runtime/net/connection-limit';
import { listen } from '@jobs-delete/runtime/net/listen';
import type { Identity } from '@jobs-delete/runtime/tls/certificates';
import type { WatchedFiles } from '@jobs-delete/runtime/tls/watch-certificates';
import { type HttpConnection, createHttpConnection } from './http-connection.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Time from the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** Time from the first byte of a request to its last. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Time without any data on a connection with a request. Must be longer than any answer takes. */
  readonly idleTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Undefined for a server without TLS. A new certificate counts for new connections. */
  readonly certificate?: Pick<WatchedFiles<Identity>, 'current' | 'subscribe'> | undefined;
  /** The classes of the listener's requests and responses, if it has its own. */
  readonly messageClasses?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
  /** See createConnectionLimit. */
  readonly maxConnections: number;
  /** Default: 0, which means no limit. */
  readonly maxConnectionsPerAddress?: number;
  /** Default: no address is a proxy. */
  readonly isProxy?: ConnectionLimitOptions['isProxy'];
  /** Called with the status of a refusal, when the message does not reach the listener. */
  readonly onImproper?: (status: number) => void;
  readonly onConnectionDropped?: () => void;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Makes every next answer the last one of its connection, so that callers reconnect to another gateway. A request that
   * arrives while `stop` closes its connection has an unknown outcome for its caller.
   */
  drain(): void;
  /** Refuses new connections, waits for requests in flight, and cuts them off after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Starts the HTTP layer. It refuses improper messages and closes their connections.
 * @throws StartupError when the port is not available
 */
export async function startHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = createHttpServer(options);
  const sockets = trackSockets(server);
  const limit = createConnectionLimit({
    maxConnections: options.maxConnections,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress ?? 0,
    isProxy: options.isProxy ?? (() => false),
    onDropped: options.onConnectionDropped,
  });
  const connections = new Map<Socket, HttpConnection>();
  const connectionOf = (duplex: Duplex): HttpConnection => {
    const socket = duplex as Socket;
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection = createHttpConnection(socket, options.onImproper);
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  };

  let isDraining = false;
  const drain = () => {
    isDraining = true;
    for (const connection of connections.values()) connection.drain();
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(request.socket);
    const target = originForm(request.url ?? '');
    if (request.httpVersionMajor !== 1) connection.refuse(505);
    else if (target === undefined || isImproper(request)) connection.refuse(400);
    else {
      request.url = target;
      limit.hold(request, response);
      connection.serve(request, response, listener, isDraining);
    }
  };
  server.on('connection', limit.admit);
  server.on(options.certificate === undefined ? 'connection' : 'secureConnection', connectionOf);
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);
  server.on('connect', (_request, socket) => connectionOf(socket).refuse(400));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else connectionOf(socket).refuse(statusOfParserError(error.code));
  });

  return {
    port: await listen(server, 'PORT', options),
    drain,
    stop: (deadlineMs) => {
      drain();
      return closeServer(server, sockets, deadlineMs);
    },
  };
}

function secureContextOf({ certificate, privateKey }: Identity) {
  return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2' } as const;
}

function createHttpServer(options: HttpServerOptions): Server | TlsServer {
  const http = {
    ...options.messageClasses,
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    connectionsCheckingInterval: 500,
    // isImproper refuses a request without a Host.
    requireHostHeader: false,
  };
  const server = withCertificate(http, options);
  // Node would silently drop headers beyond a count. Their size is limited instead.
  server.maxHeadersCount = 0;
  server.timeout = options.idleTimeoutMs;
  return server;
}

function withCertificate(
  http: ServerOptions,
  { certificate, headersTimeoutMs }: HttpServerOptions,
): Server | TlsServer {
  if (certificate === undefined) return createServer(http);
  const context = secureContextOf(certificate.current());
  const server = createTlsServer({ ...http, ...context, handshakeTimeout: headersTimeoutMs });
  certificate.subscribe((renewed) => server.setSecureContext(secureContextOf(renewed)));
  return server;
}

/** Returns the open connections. Unlike `closeAllConnections`, it knows those whose TLS handshake has not ended. */
function trackSockets(server: Server | TlsServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function closeServer(
  server: Server | TlsServer,
  sockets: ReadonlySet<Socket>,
  deadlineMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, deadlineMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function statusOfParserError(code: string | undefined): 400 | 408 | 431 | 505 {
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

/**
 * Returns whether two servers could understand the message differently, although Node's parser accepts it. A proper
 * request has one valid Host (RFC 9112, 3.2), and no transfer coding but chunked (6.1; HTTP/1.0: none).
 */
function isImproper(request: IncomingMessage): boolean {
  const {
    host,
    'transfer-encoding': transferEncoding,
    'content-length': contentLength,
  } = request.headersDistinct;
  if ((host?.length ?? 0) > 1) return true;
  if (host === undefined ? request.httpVersion !== '1.0' : !isAuthority(host[0] ?? '')) return true;
  if (transferEncoding === undefined) return false;
  return (
    request.httpVersion === '1.0' ||
    contentLength !== undefined ||
    transferEncoding.length !== 1 ||
    transferEncoding[0]?.toLowerCase() !== 'chunked'
  );
}

/**
 * Returns the path and query of a request target (RFC 9112, 3.2), as sent. `*` stays `*`. Returns undefined for anything
 * else, such as a target with a fragment, which two servers could understand differently.
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target === '*' || target.startsWith('/')) return target;
  const [, authority = '', path = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(target) ?? [];
  if (authority === '' || authority.startsWith(':') || !isAuthority(authority)) return undefined;
  return path.startsWith('/') ? path : `/${path}`;
}

/** RFC 3986, 3.2: a name or an address, with an optional port. No user, no space, no path. */
function isAuthority(text: string): boolean {
  return /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d*)?$/.test(text);
}

/**
 * Returns classes whose objects have Express's prototypes from the start. Express calls `Object.setPrototypeOf` on each
 * request and response, and V8 then has no fast access to their properties: 105 of 222 µs for an empty request. Setting
 * the same prototype again costs nothing.
 */
export function messageClasses(
  app: Pick<Express, 'request' | 'response'>,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, app.response),
  };
}

/**
 * Node declares the two as classes, but they are functions that may be called. TypeScript knows no function as a class.
 * `Reflect.construct` would avoid the first cast, but its objects are as slow as those of `Object.setPrototypeOf`.
 */
function withPrototype<Class extends abstract new (value: never) => object>(
  of: Class,
  prototype: object,
): Class {
  function construct(this: object, ...values: unknown[]): void {
    Reflect.apply(of as unknown as () => void, this, values);
  }
  construct.prototype = prototype;
  return construct as unknown as Class;
}
