import { afterEach } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JobsDeleteClient, type ClientOptions } from './index.ts';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly jobIds: readonly string[];
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of `body`. */
  readonly text?: string;
}

/** `cut` ends within the body, `drip` never ends it, `garbage` is no HTTP. */
export interface FaultyAnswer extends ScriptedAnswer {
  readonly fault: 'cut' | 'drip' | 'garbage';
}

type AnyAnswer = ScriptedAnswer | FaultyAnswer | 'hang' | 'reset';

/** A server whose answers a test decides. `hang` never answers; `reset` closes the connection. */
export type Script = (received: Received, index: number) => AnyAnswer | Promise<AnyAnswer>;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server, which stops after the test, and returns it with a client. */
export async function connectToScript(script: Script, more: Partial<ClientOptions> = {}) {
  const server = await startScriptedServer(script);
  const client = new JobsDeleteClient({
    baseUrl: server.baseUrl,
    token: 'a-token',
    secretKey: 'a-key',
    origin: 'https://example.com',
    userAgent: 'shop/1.0',
    concurrency: 1,
    ...more,
  });
  return { ...server, client };
}

/** Starts a server, which stops after the test. Closes the first `closedConnections` without reading them. */
export async function startScriptedServer(script: Script, closedConnections = 0) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const one = { method, url, headers, body, jobIds: idsIn(body) };
      void answerWith(response, script(one, received.push(one) - 1));
    });
  });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    if (connections <= closedConnections) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, received };
}

async function answerWith(response: ServerResponse, scripted: AnyAnswer | Promise<AnyAnswer>): Promise<void> {
  const answer = await scripted;
  if (answer === 'hang') return;
  if (answer === 'reset') {
    response.destroy();
    return;
  }
  const text = answer.text ?? JSON.stringify(answer.body ?? {});
  if (!('fault' in answer)) {
    response.writeHead(answer.status, answer.headers).end(text);
    return;
  }
  if (answer.fault === 'garbage') {
    response.socket?.end('hello\r\n\r\n');
    return;
  }
  response.writeHead(answer.status, { ...answer.headers, 'content-length': '1000000' });
  if (answer.fault === 'cut') response.write(text, () => response.destroy());
  else {
    const dripping = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(dripping));
  }
}

export const accepted: ScriptedAnswer = { status: 200, headers: { 'deletion-id': 'a-deletion' } };

export const ids = (count: number) => Array.from({ length: count }, (_, index) => `Job${String(index)}`);

export function problem(status: number, code: string, pointers: readonly string[] = []): ScriptedAnswer {
  const errors = pointers.map((pointer) => ({ code, message: code, pointer }));
  return { status, headers: { 'request-id': 'a-request' }, body: { title: code, status, code, errors } };
}

function idsIn(text: string): string[] {
  if (text === '') return [];
  if (text.startsWith('<')) return [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id = '']) => id);
  const { jobs } = JSON.parse(text) as { jobs: { job: { id: string }[] } };
  return jobs.job.map(({ id }) => id);
}
