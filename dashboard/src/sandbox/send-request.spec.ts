import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { sendSandboxRequest, type SandboxAnswer } from './send-request.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Sent {
  readonly answer: SandboxAnswer;
  readonly errors: readonly unknown[];
}

async function sendTo(
  listener: RequestListener,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<Sent> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const errors: unknown[] = [];
  const answer = await sendSandboxRequest(
    { path: '/v1-sandbox/json/jobs-delete', headers: { 'X-Client-Lang': 'Ünicode' }, body: '{"é":1}' },
    {
      apiUrl: `http://127.0.0.1:${String(port)}/api`,
      network: '192.0.2.7',
      signal: new AbortController().signal,
      onError: (error) => errors.push(error),
      ...options,
    },
  );
  return { answer, errors };
}

test('the answer has the status line, the headers and the body as they were sent', async () => {
  const { answer } = await sendTo((request, response) => {
    request.setEncoding('utf8').once('data', (body: string) => {
      response.sendDate = false;
      response.writeHead(403, 'Not Today', {
        'X-Path': request.url,
        'X-Method': request.method,
        'x-twice': ['1', '2'],
      });
      const technology = Buffer.from(String(request.headers['x-client-lang']), 'latin1').toString('utf8');
      response.end(`${technology} ${body}`);
    });
  });
  expect(answer).toMatchObject({
    statusLine: 'HTTP/1.1 403 Not Today',
    status: 403,
    body: 'Ünicode {"é":1}',
  });
  expect(answer).toHaveProperty(
    'headers',
    expect.arrayContaining([
      ['X-Path', '/api/v1-sandbox/json/jobs-delete'],
      ['X-Method', 'DELETE'],
      ['x-twice', '1'],
      ['x-twice', '2'],
    ]),
  );
});

test('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const { answer } = await sendTo((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect(answer).toMatchObject({ status: 307 });
  expect(paths).toEqual(['/api/v1-sandbox/json/jobs-delete']);
});

test('an answer is bounded', async () => {
  const mebibyte = 1_048_576;
  const of = (bytes: number) => sendTo((_request, response) => response.end(Buffer.alloc(bytes, 'a')));
  expect((await of(mebibyte)).answer).toMatchObject({ kind: 'answered' });
  server?.closeAllConnections();
  server?.close();
  expect((await of(mebibyte + 1)).answer).toEqual({ kind: 'too-large' });
});

test('a server that does not answer in time gives no answer', async () => {
  const { answer, errors } = await sendTo(() => undefined, { timeoutMs: 50 });
  expect(answer).toEqual({ kind: 'no-answer' });
  expect(errors).toMatchObject([{ name: 'AbortError' }]);
});

test('a body that does not end in time gives no answer', async () => {
  const { answer } = await sendTo((_request, response) => response.write('a'), { timeoutMs: 200 });
  expect(answer).toEqual({ kind: 'no-answer' });
});

test('the request ends when the browser leaves', async () => {
  const leaving = new AbortController();
  const { answer } = await sendTo(() => leaving.abort(), { signal: leaving.signal });
  expect(answer).toEqual({ kind: 'no-answer' });
});

test('a connection that is refused gives no answer', async () => {
  const { answer, errors } = await sendTo((request) => request.socket.destroy());
  expect(answer).toEqual({ kind: 'no-answer' });
  expect(errors).toHaveLength(1);
});
