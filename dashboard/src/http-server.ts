import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { UnauthenticatedLimits } from '@jobs-delete/accounts/accounts-config';
import {
  createConnectionLimit,
  type ConnectionLimitOptions,
} from '@jobs-delete/runtime/net/connection-limit';
import { listen } from '@jobs-delete/runtime/net/listen';

interface HttpServer {
  readonly port: number;
  /** Answers requests with `listener`. Limits the connections of each network, except proxies. Default: no address is one. */
  serve(listener: RequestListener, isProxy?: ConnectionLimitOptions['isProxy']): void;
  /** Refuses new connections, finishes the requests in flight, and cuts them off at the deadline. */
  stop(): Promise<void>;
}

interface HttpServerOptions extends Pick<
  UnauthenticatedLimits,
  'maxConnections' | 'maxConnectionsPerAddress'
> {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly shutdownTimeoutMs: number;
}

/** Pages are small and answers quick, so anything slower is a mistake or an attack. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};

/** Listens before it serves: the address of the pages contains the port. @throws StartupError */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer(timeouts);
  // Browsers connect in advance. Node counts a connection without a request as busy.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  let isStopping = false;
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    // Node closes only the connections that are idle at the beginning of a stop.
    response.once('finish', () => {
      if (isStopping) socket.end();
    });
  });
  return {
    port: await listen(server, 'DASHBOARD_PORT', options),
    serve: (listener, isProxy = () => false) => {
      const { maxConnections, maxConnectionsPerAddress } = options;
      const limit = createConnectionLimit({ maxConnections, maxConnectionsPerAddress, isProxy });
      server.on('connection', limit.admit);
      server.on('request', limit.hold);
      server.on('request', listener);
    },
    stop: () =>
      new Promise((resolve) => {
        isStopping = true;
        const timer = setTimeout(() => server.closeAllConnections(), options.shutdownTimeoutMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        for (const socket of unused) socket.destroy();
      }),
  };
}
