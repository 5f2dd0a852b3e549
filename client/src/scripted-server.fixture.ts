import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

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

export async function startScriptedServer(script: Script) {
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
