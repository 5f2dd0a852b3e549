import { afterEach } from '@jest/globals';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JobsDeleteClient, type ClientOptions } from './index.ts';

export interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly jobIds: readonly string[];
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server whose answers a test decides. `hang` never answers; `reset` closes the connection. */
export type Script = (received: Received, index: number) => ScriptedAnswer | 'hang' | 'reset';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server, which stops after the test, and returns a client of it with the requests that the server received. */
export async function connectToScript(script: Script, more: Partial<ClientOptions> = {}) {
  const server = await startScriptedServer(script);
  stops.push(server.stop);
  const client = new JobsDeleteClient({
    baseUrl: server.baseUrl,
    token: 'a-token',
    secretKey: 'a-key',
    origin: 'https://example.com',
    userAgent: 'shop/1.0',
    concurrency: 1,
    ...more,
  });
  return { client, received: server.received };
}

async function startScriptedServer(script: Script) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const one = { url: request.url, headers: request.headers, jobIds: idsIn(text) };
      const answer = script(one, received.push(one) - 1);
      if (answer === 'hang') return;
      if (answer === 'reset') request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
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
