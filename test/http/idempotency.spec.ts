import { Agent } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { createClient, expectAccepted, expectProblem, newJobIds, type Client } from './client.ts';
import { languages, problems } from './contract.ts';

const service = useService();
let client: Client;
let other: Client;
beforeAll(async () => {
  client = await createClient(service, 'idempotency');
  other = await createClient(service, 'other');
});

let lastKey = 0;
const newKey = () => `key-${String(++lastKey)}`;

function expectReplay(answer: HttpAnswer, first: HttpAnswer): void {
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(answer.headers['idempotent-replayed']).toBe('true');
  expect([answer.status, answer.text]).toEqual([200, first.text]);
  const own = { 'request-id': undefined, 'idempotent-replayed': undefined, date: undefined };
  expect({ ...answer.headers, ...own }).toEqual({ ...first.headers, ...own });
  expect(answer.headers['request-id']).not.toBe(first.headers['request-id']);
}

const untilGone = (deletionId: string) =>
  until(
    async () => (await service.operator.store.findDeletion(deletionId, undefined))?.state === 'completed',
  );

describe('the same key with the same ids', () => {
  test('gives the first response again, byte for byte, also after the removal', async () => {
    const call = { jobIds: await client.newJobs(3), idempotencyKey: newKey() };
    const first = await client.call(call);
    const deletionId = expectAccepted(first, call.jobIds);
    expectReplay(await client.call(call), first);
    await untilGone(deletionId);
    expectReplay(await client.call(call), first);
    expectReplay(await client.call(call), first);
  });

  test.each([
    ['json', 'xml'],
    ['xml', 'json'],
  ] as const)('replays a %s request repeated as %s', async (format, again) => {
    const call = { jobIds: await client.newJobs(2), idempotencyKey: newKey() };
    const first = await client.call({ ...call, format });
    expectReplay(await client.call({ ...call, format: again }), first);
  });

  test.each(languages)('replays in the language of the first answer, %s', async (language) => {
    const call = { jobIds: await client.newJobs(1), idempotencyKey: newKey() };
    const first = await client.call({ ...call, language });
    expect(first.headers['content-language']).toBe(language);
    for (const another of languages) expectReplay(await client.call({ ...call, language: another }), first);
  });

  test('does not remove a job that was posted again', async () => {
    const call = { jobIds: await client.newJobs(1), idempotencyKey: newKey() };
    const first = await client.call(call);
    await untilGone(expectAccepted(first, call.jobIds));
    await service.operator.importJobs('idempotency', call.jobIds);
    expectReplay(await client.call(call), first);
    const job = await service.operator.store.findJob('idempotency', call.jobIds[0] ?? '');
    expect(job).toMatchObject({ deletionId: undefined });
  });

  test('is accepted once for 20 concurrent requests', async () => {
    const call = { jobIds: await client.newJobs(5), idempotencyKey: newKey() };
    const agent = new Agent({ maxSockets: 20 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.call({
          ...call,
          agent,
          format: index % 2 ? 'xml' : 'json',
          language: languages[index % 3] ?? 'fr',
        }),
      ),
    );
    const first = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
    expect(first).toHaveLength(1);
    const replays = answers.filter((answer) => answer !== first[0]);
    for (const replay of replays) for (const answer of first) expectReplay(replay, answer);
  });

  test('is accepted for one of two lists in 20 concurrent requests', async () => {
    const idempotencyKey = newKey();
    const lists = [await client.newJobs(2), await client.newJobs(2)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.call({ idempotencyKey, jobIds: lists[index % 2] ?? [] }),
      ),
    );
    const winner = answers.findIndex(({ status }) => status === 200) % 2;
    for (const [index, answer] of answers.entries()) {
      if (index % 2 === winner) expectAccepted(answer, lists[winner] ?? []);
      else expectProblem(answer, 'idempotency_key_reused');
    }
    expect(new Set(answers.map(({ headers }) => headers['deletion-id'])).size).toBe(2);
  });
});

describe('the same key with other ids', () => {
  test.each(languages)('is refused in %s, the caller’s language', async (language) => {
    const idempotencyKey = newKey();
    const jobIds = await client.newJobs(3);
    expectAccepted(await client.call({ jobIds, idempotencyKey, language: 'fr' }), jobIds);
    const fresh = await client.newJobs(1);
    for (const others of [
      jobIds.toReversed(),
      jobIds.slice(0, 2),
      [...jobIds, ...fresh],
      fresh,
      newJobIds(3),
    ]) {
      const answer = await client.call({ jobIds: others, idempotencyKey, language });
      const problem = expectProblem(answer, 'idempotency_key_reused', { language });
      const message = problems.idempotency_key_reused[language];
      expect(problem.errors).toEqual([
        { header: 'Idempotency-Key', code: 'idempotency_key_reused', message, detail: problem.detail },
      ]);
    }
    expectAccepted(await client.call({ jobIds: fresh }), fresh);
  });
});

describe('a refused request does not use up its key', () => {
  test.each<[string, () => Promise<{ jobIds?: string[]; body?: string; headers?: Record<string, string> }>]>([
    ['by a job that is not found', () => Promise.resolve({ jobIds: newJobIds(1) })],
    ['by a job of another account', async () => ({ jobIds: await other.newJobs(1) })],
    ['by a bad id', () => Promise.resolve({ jobIds: ['-'] })],
    ['by a bad body', () => Promise.resolve({ body: '{' })],
    ['by a bad header', async () => ({ jobIds: await client.newJobs(1), headers: { 'User-Agent': 'x' } })],
    [
      'by a bad secret key',
      async () => ({ jobIds: await client.newJobs(1), headers: { Usersecretkey: 'x' } }),
    ],
  ])('%s', async (_, bad) => {
    const idempotencyKey = newKey();
    expect((await client.call({ ...(await bad()), idempotencyKey })).status).toBeGreaterThanOrEqual(400);
    const jobIds = await client.newJobs(1);
    const answer = await client.call({ jobIds, idempotencyKey });
    expectAccepted(answer, jobIds);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

test('two accounts may use the same key', async () => {
  const idempotencyKey = newKey();
  const jobIds = await client.newJobs(2);
  await service.operator.importJobs('other', jobIds);
  const first = expectAccepted(await client.call({ jobIds, idempotencyKey }), jobIds);
  const answer = await other.call({ jobIds, idempotencyKey });
  expect(expectAccepted(answer, jobIds)).not.toBe(first);
  expect(answer.headers['idempotent-replayed']).toBeUndefined();
});

test('the sandbox neither stores nor reads keys', async () => {
  const call = { idempotencyKey: newKey(), jobIds: await client.newJobs(1) };
  const fresh = await client.newJobs(1);
  expectAccepted(await client.call({ ...call, sandbox: true }), call.jobIds, true);
  const first = await client.call({ ...call, jobIds: fresh });
  expectAccepted(first, fresh);
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  const answer = await client.call({ ...call, sandbox: true });
  expectAccepted(answer, call.jobIds, true);
  expect(answer.headers['idempotent-replayed']).toBeUndefined();
  expectProblem(await client.call({ ...call, jobIds: fresh, sandbox: true }), 'job_not_found');
});

test('a replay passes all checks except ownership first', async () => {
  const call = { jobIds: await client.newJobs(1), idempotencyKey: newKey() };
  const first = await client.call(call);
  const { secretKey, origin } = other.account;
  expectProblem(
    await client.call({ ...call, headers: { Authorization: undefined } }),
    'authentication_required',
  );
  expectProblem(await client.call({ ...call, headers: { Usersecretkey: secretKey } }), 'secret_key_invalid');
  expectProblem(await client.call({ ...call, headers: { Origin: origin } }), 'origin_not_allowed');
  const header = { header: 'X-Client-Lang' };
  expectProblem(
    await client.call({ ...call, headers: { 'X-Client-Lang': undefined } }),
    'header_invalid',
    header,
  );
  expectProblem(await client.call({ ...call, body: '' }), 'body_malformed');
  expectProblem(
    await client.call({ ...call, jobIds: [...call.jobIds, ...call.jobIds] }),
    'job_id_duplicated',
  );
  expectReplay(await client.call(call), first);
});

test('without a key, a retry of an accepted request is not found', async () => {
  const jobIds = await client.newJobs(1);
  expectAccepted(await client.call({ jobIds, idempotencyKey: newKey() }), jobIds);
  expectProblem(await client.call({ jobIds }), 'job_not_found');
  expectProblem(await client.call({ jobIds, idempotencyKey: newKey() }), 'job_not_found');
});

describe('an Idempotency-Key', () => {
  test.each([
    'k',
    'K'.repeat(255),
    'two words',
    '"quoted"',
    `!#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
    '0',
    'undefined',
  ])('%j is accepted', async (idempotencyKey) => {
    const call = { jobIds: await client.newJobs(1), idempotencyKey };
    const first = await client.call(call);
    expectAccepted(first, call.jobIds);
    expectReplay(await client.call(call), first);
  });

  test.each(['', ' ', 'K'.repeat(256), 'caf\xe9', 'a\tb', Buffer.from('clé').toString('latin1'), ['a', 'b']])(
    '%j is refused',
    async (key) => {
      for (const sandbox of [false, true]) {
        const headers = { 'Idempotency-Key': key };
        const answer = await client.call({ sandbox, jobIds: await client.newJobs(1), headers });
        const { errors } = expectProblem(answer, 'header_invalid', { header: 'Idempotency-Key' });
        expect(errors).toMatchObject([{ header: 'Idempotency-Key' }]);
      }
    },
  );

  test('is compared exactly', async () => {
    for (const idempotencyKey of ['Exact', 'exact', 'exact.', 'exac', 'exact%', 'exa_t']) {
      const jobIds = await client.newJobs(1);
      expectAccepted(await client.call({ jobIds, idempotencyKey }), jobIds);
    }
  });
});
