import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../net/listen.ts';
import type { HealthReport } from '../telemetry/health.ts';

export interface AdminServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly report: () => Promise<HealthReport>;
  /** The metrics in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
  readonly onError: (error: unknown) => void;
}

export interface AdminServer {
  readonly port: number;
  stop(): Promise<void>;
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Starts the server for orchestrators and Prometheus. Its port must not be public.
 * - `/livez`: 200 while the event loop runs, also when dependencies are down
 * - `/readyz`: 200 if the process can take work; 503 with the reasons if not
 * - `/metrics`
 * @throws StartupError when it cannot listen on the port
 */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/livez': () => Promise.resolve({ status: 200, type: 'text/plain', body: 'alive\n' }),
    '/readyz': async () => {
      const report = await options.report();
      const body = `${JSON.stringify(report)}\n`;
      return { status: report.ready ? 200 : 503, type: 'application/json', body };
    },
    '/metrics': async () => {
      const body = await options.metrics();
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const page = pages[request.url?.split('?')[0] ?? ''];
    if (page === undefined) send(response, { status: 404, type: 'text/plain', body: 'not found\n' });
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      send(response, { status: 405, type: 'text/plain', body: 'method not allowed\n' });
    } else send(response, await page());
  };
  const server = createServer({ requestTimeout: 5_000, connectionsCheckingInterval: 1_000 });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      options.onError(error);
      send(response, { status: 500, type: 'text/plain', body: 'internal error\n' });
    });
  });
  return {
    port: await listen(server, 'ADMIN_PORT', options),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, type, body }: Page): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}
