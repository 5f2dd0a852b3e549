import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, openRaw, type RawAnswer } from '../harness/raw-http.ts';
import { useService } from '../harness/use-service.ts';
import { completed, createClient, expectAccepted, newJobIds, type Accepted, type Client } from './client.ts';
import { inChunks, requestText, withLine } from './details.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'pipelining');
});

const requestFor = (jobIds: readonly string[], headers: Record<string, string | undefined> = {}) =>
  requestText(service.baseUrl, completed(client.account, { jobIds, headers }));

const acceptedIds = (answers: readonly RawAnswer[]) =>
  answers.map(({ status, text }) => [
    status,
    ...(status === 200 ? (JSON.parse(text) as Accepted).results.map(({ job_id }) => job_id) : []),
  ]);

async function answersTo(bytes: string, count: number): Promise<RawAnswer[]> {
  const connection = await openRaw(service.baseUrl);
  connection.write(bytes);
  const answers = await connection.untilAnswers(count);
  connection.destroy();
  return answers;
}

const expectUntouched = async (jobIds: readonly string[]) =>
  expectAccepted(await client.call({ jobIds, sandbox: true }), jobIds, true);

describe('pipelined requests', () => {
  test('are all answered, in their order', async () => {
    const jobIds = await client.newJobs(50);
    const answers = await answersTo(jobIds.map((id) => requestFor([id])).join(''), 50);
    expect(acceptedIds(answers)).toEqual(jobIds.map((id) => [200, id]));
    expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(50);
  });

  test('are answered in their order, even if a later one is ready first', async () => {
    const many = await client.newJobs(5_000);
    const [one = ''] = await client.newJobs(1);
    const refused = requestFor([one], { Authorization: undefined });
    const answers = await answersTo(refused + requestFor(many) + refused + requestFor([one]) + refused, 5);
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 401, 200, 401]);
    expect(acceptedIds(answers)[1]).toEqual([200, ...many]);
  });

  test('are separated correctly with any framing', async () => {
    const jobIds = await client.newJobs(4);
    const [a = '', b = '', c = '', d = ''] = jobIds.map((id) => requestFor([id]));
    expect(acceptedIds(await answersTo(inChunks(a) + b + inChunks(c) + d, 4))).toEqual(
      jobIds.map((id) => [200, id]),
    );
  });

  test('a body that looks like a request is not executed', async () => {
    const [outer = '', inner = ''] = await client.newJobs(2);
    const smuggled = requestFor([inner]);
    const call = completed(client.account, {
      body: JSON.stringify({ x: smuggled, jobs: { job: [{ id: outer }] } }),
    });
    expect(acceptedIds(await answersTo(requestText(service.baseUrl, call), 1))).toEqual([[200, outer]]);
    const unread = requestText(
      service.baseUrl,
      completed(client.account, { body: smuggled, headers: { Origin: 'null' } }),
    );
    const [refused, next] = await answersTo(unread + requestFor(newJobIds(1)), 2);
    expect([refused?.status, next?.status]).toEqual([403, 404]);
    await expectUntouched([inner]);
  });

  test('give the same answers when sent byte by byte', async () => {
    const jobIds = await client.newJobs(2);
    const bytes = jobIds.map((id) => requestFor([id])).join('');
    const connection = await openRaw(service.baseUrl);
    connection.socket.setNoDelay(true);
    for (const byte of bytes) {
      connection.write(byte);
      await new Promise(setImmediate);
    }
    expect(acceptedIds(await connection.untilAnswers(2))).toEqual(jobIds.map((id) => [200, id]));
    connection.destroy();
  });

  test('nothing after Connection: close is executed', async () => {
    const [first = '', second = ''] = await client.newJobs(2);
    const last = withLine(requestFor([first]), 'Connection: close');
    expect(acceptedIds(await exchange(service.baseUrl, last + requestFor([second])))).toEqual([[200, first]]);
    await expectUntouched([second]);
  });

  test('a large answer before the close arrives complete', async () => {
    const many = await client.newJobs(10_000);
    const last = withLine(requestFor(many), 'Connection: close');
    expect(acceptedIds(await exchange(service.baseUrl, `${last}garbage\r\n\r\n`))).toEqual([[200, ...many]]);
  });
});

describe('an improper request after proper ones', () => {
  const noHost = (request: string) => request.replace(/Host: .*\r\n/, '');
  test.each<[string, number, (request: string) => string]>([
    ['garbage', 400, () => 'garbage\r\n\r\n'],
    ['no Host', 400, noHost],
    ['CONNECT', 400, (request) => request.replace('DELETE /v1/json/jobs-delete', 'CONNECT a.example:443')],
    ['another version', 505, (request) => request.replace('HTTP/1.1', 'HTTP/2.0')],
    ['headers that are too large', 431, (request) => withLine(request, `X: ${'a'.repeat(17_000)}`)],
    ['both framings', 400, (request) => withLine(request, 'Transfer-Encoding: chunked')],
    ['a bad chunk', 400, (request) => inChunks(request, (body) => `zz\r\n${body}`)],
    [
      'a bad chunk after good ones',
      400,
      (request) => inChunks(request, (body, size) => `${size}\r\n${body}\r\nzz\r\n`),
    ],
  ])('%s is refused after their answers, and nothing after it is executed', async (_, status, spoil) => {
    const done = await client.newJobs(3);
    const rest = await client.newJobs(2);
    const [bad = '', after = ''] = rest.map((id) => requestFor([id]));
    const bytes = done.map((id) => requestFor([id])).join('') + spoil(bad) + after;
    const answers = await exchange(service.baseUrl, bytes);
    expect(acceptedIds(answers)).toEqual([...done.map((id) => [200, id]), [status]]);
    expect(answers.at(-1)?.headers).toMatchObject({ connection: 'close', 'content-language': 'fr' });
    await expectUntouched(rest);
  });

  test('an error in the rest of an answered request gets no second answer', async () => {
    const [id = ''] = await client.newJobs(1);
    const request = requestFor([id], { Authorization: undefined });
    const connection = await openRaw(service.baseUrl);
    const [start = '', rest = ''] = inChunks(request, (body, size) => `${size}\r\n${body}\r\nREST`).split(
      'REST',
    );
    connection.write(start + rest);
    expect(await connection.untilAnswers(1)).toMatchObject([{ status: 401 }]);
    connection.write(`zz\r\n${requestFor([id])}`);
    expect(await connection.untilClosed()).toMatchObject([{ status: 401 }]);
    connection.destroy();
    await expectUntouched([id]);
  });

  test('closes the connection of a client that keeps its side open', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      noHost(requestFor([])),
      'CONNECT a.example:443 HTTP/1.1\r\n\r\n',
    ]) {
      const connection = await openRaw(service.baseUrl);
      connection.write(bytes);
      await connection.untilClosed();
      await connection.untilReset();
    }
  });
});
