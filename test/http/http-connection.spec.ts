import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openRaw } from '../harness/raw-http.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import {
  completed,
  createClient,
  expectAccepted,
  expectProblem,
  expectStamped,
  type Client,
} from './client.ts';
import { inChunks, requestText, withLine } from './details.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'connection');
});

/** Returns head and body, to send them at different times. */
function split(request: string): [head: string, body: string] {
  const end = request.indexOf('\r\n\r\n') + 4;
  return [request.slice(0, end), request.slice(end)];
}

const requestFor = (jobIds: readonly string[], headers: Record<string, string | undefined> = {}) =>
  requestText(service.baseUrl, completed(client.account, { jobIds, headers }));

describe('Expect: 100-continue', () => {
  test.each(['100-continue', '100-Continue', '100-continue, x', 'x, 100-continue'])(
    '%s: the server requests the body after the header checks',
    async (expectation) => {
      const jobIds = await client.newJobs(1);
      for (const frame of [(request: string) => request, (request: string) => inChunks(request)]) {
        const [head, body] = split(withLine(frame(requestFor(jobIds)), `Expect: ${expectation}`));
        const connection = await openRaw(service.baseUrl);
        connection.write(head.replace('/v1/', '/v1-sandbox/'));
        expect((await connection.untilAnswers(1)).map(({ status }) => status)).toEqual([100]);
        connection.write(body);
        expect((await connection.untilAnswers(2)).map(({ status }) => status)).toEqual([100, 200]);
        connection.destroy();
      }
    },
  );

  test.each<[string, number, (head: string) => string]>([
    ['a bad credential', 401, (head) => head.replace('Bearer', 'Basic')],
    ['a bad origin', 403, (head) => head.replace(/Origin: .*\r\n/, 'Origin: null\r\n')],
    ['a bad header', 400, (head) => head.replace(/User-Agent: .*\r\n/, '')],
    ['an unknown path', 404, (head) => head.replace('jobs-delete', 'jobs')],
    ['another method', 405, (head) => head.replace('DELETE', 'PUT')],
    [
      'a body that is too large',
      413,
      (head) => head.replace(/Content-Length: .*\r\n/, 'Content-Length: 4194305\r\n'),
    ],
  ])('with %s there is no 100 Continue', async (_, status, spoil) => {
    const [head] = split(withLine(requestFor(await client.newJobs(1)), 'Expect: 100-continue'));
    const connection = await openRaw(service.baseUrl);
    connection.write(spoil(head));
    // Closed: the client may or may not send the announced body.
    expect((await connection.untilClosed()).map((answer) => answer.status)).toEqual([status]);
    connection.destroy();
  });
});

describe('a connection is used again', () => {
  test('after accepted and refused requests, with a body that was read or not', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    agent.on('free', (socket: { localPort?: number }) => ports.add(socket.localPort));
    const [id = ''] = await client.newJobs(1);
    const large = { body: ' '.repeat(1_000_000) };
    for (let round = 0; round < 3; round++) {
      expectAccepted(await client.call({ agent, jobIds: [id], sandbox: true }), [id], true);
      expectProblem(await client.call({ agent, ...large, path: '/' }), 'route_not_found');
      expectProblem(await client.call({ agent, ...large, method: 'PUT' }), 'method_not_allowed');
      expectProblem(
        await client.call({ agent, ...large, headers: { Origin: 'null' } }),
        'origin_not_allowed',
      );
      const noAgent = { headers: { 'User-Agent': '' } };
      expectProblem(await client.call({ agent, ...large, ...noAgent }), 'header_invalid', {
        header: 'User-Agent',
      });
      expectProblem(await client.call({ agent, ...large }), 'body_malformed');
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('after a body that was too large', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const gateway = await startAnotherGateway(service, { MAX_BODY_BYTES: '1000' });
    const there = client.at(gateway.baseUrl);
    const jobIds = await client.newJobs(1);
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }])
      for (const bytes of [1_001, 2_000, 1_001]) {
        expectProblem(await there.call({ agent, headers, body: ' '.repeat(bytes) }), 'body_too_large');
        expectAccepted(await there.call({ agent, jobIds, sandbox: true }), jobIds, true);
      }
    agent.destroy();
    await gateway.stop();
  });
});

test('a large body that is refused unread gets an answer, also with Connection: close', async () => {
  for (let round = 0; round < 10; round++) {
    const call = { agent: new Agent({ keepAlive: false }), body: ' '.repeat(4_000_000) };
    expectProblem(await client.call({ ...call, headers: { Origin: 'null' } }), 'origin_not_allowed');
  }
});

describe('an endless body', () => {
  test.each<[string, string]>([
    ['announced', 'Content-Length: 1000000000000'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('%s gets an early answer and is cut off', async (_, framing) => {
    const [head] = split(requestFor([]));
    const connection = await openRaw(service.baseUrl);
    connection.write(head.replace(/Content-Length: .*(?=\r\n)/, framing));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 200 && !connection.socket.destroyed; sent++) {
      connection.write(chunk);
      await new Promise(setImmediate);
    }
    await connection.untilReset();
    expect(connection.answers().map(({ status }) => status)).toEqual([413]);
  });
});

describe('a client that disconnects', () => {
  test('in the middle of the headers or the body changes nothing', async () => {
    const jobIds = await client.newJobs(1);
    const request = requestFor(jobIds);
    for (const bytes of [10, 100, request.length - 20, request.length - 1]) {
      const connection = await openRaw(service.baseUrl);
      connection.write(request.slice(0, bytes));
      await new Promise(setImmediate);
      connection.destroy();
    }
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const connection = await openRaw(service.baseUrl);
      connection.write(inChunks(request, (body) => `5\r\n${body.slice(0, 5)}\r\n`));
      await new Promise(setImmediate);
      connection.socket[end]();
    }
    expectAccepted(await client.call({ jobIds, sandbox: true }), jobIds, true);
  });

  test('that closes its own side in the middle of a body gets a refusal, and nothing changes', async () => {
    const jobIds = await client.newJobs(1);
    const connection = await openRaw(service.baseUrl);
    connection.socket.end(requestFor(jobIds).slice(0, -1));
    expect((await connection.untilClosed()).map(({ status }) => status)).toEqual([400]);
    expectAccepted(await client.call({ jobIds, sandbox: true }), jobIds, true);
  });
});

describe('a client that is too slow', () => {
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 400 };
  let gateway: Awaited<ReturnType<typeof startAnotherGateway>>;
  beforeAll(async () => {
    gateway = await startAnotherGateway(service, {}, limits);
  });
  afterAll(() => gateway.stop());

  test.each<[string, (request: string) => string]>([
    ['with nothing', () => ''],
    ['with its headers', (request) => split(request)[0].slice(0, -2)],
    ['with its body', (request) => request.slice(0, -1)],
    ['with its chunks', (request) => inChunks(request, (body) => `5\r\n${body.slice(0, 5)}`)],
    ['with the next request', (request) => `${request}DELETE`],
  ])('%s gets a refusal and is cut off', async (name, cut) => {
    const jobIds = await client.newJobs(1);
    const connection = await openRaw(gateway.baseUrl);
    connection.write(cut(requestFor(jobIds)));
    const answers = await connection.untilClosed();
    const before = name === 'with the next request' ? [200] : [];
    expect(answers.map(({ status }) => status)).toEqual([...before, 408]);
    expectStamped(answers.at(-1)?.headers ?? {}, 'fr');
    expect(answers.at(-1)?.headers.connection).toBe('close');
    await connection.untilReset();
    if (before.length === 0) expectAccepted(await client.call({ jobIds, sandbox: true }), jobIds, true);
  });
});
