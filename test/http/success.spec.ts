import { beforeAll, describe, expect, test } from '@jest/globals';
import { dumpTables, untilSettled } from '../harness/dump-tables.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { createClient, expectAccepted, expectStamped, type Client } from './client.ts';
import { jobQueued, jobsQueued, languages } from './contract.ts';

const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'success');
});

describe.each(['json', 'xml'] as const)('%s', (format) => {
  describe.each([false, true])('sandbox: %s', (sandbox) => {
    test.each(languages)(
      'the answer in %s has exactly the documented members and texts',
      async (language) => {
        const jobIds = await client.newJobs(2);
        const answer = await client.call({ format, sandbox, jobIds, language });
        expect(answer.status).toBe(200);
        const results = jobIds.map((id) => ({
          job_id: id,
          status: 'success',
          message: jobQueued[language].replace('{id}', id),
        }));
        // Compares texts: the order of the members matters.
        expect(answer.text).toBe(
          JSON.stringify({ status: jobsQueued[language], processed_jobs: 2, results }),
        );
      },
    );

    test.each(languages)('the answer in %s has exactly the documented headers', async (language) => {
      const jobIds = await client.newJobs(1);
      const { headers, text } = await client.call({ format, sandbox, jobIds, language });
      expectStamped(headers, language);
      expect(headers['content-type']).toBe('application/json');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
      expect(headers['idempotent-replayed']).toBeUndefined();
      expect(headers['retry-after']).toBeUndefined();
      expect(headers.sandbox).toBe(sandbox ? 'true' : undefined);
      if (sandbox) expect(headers['deletion-id']).toBeUndefined();
      else expect(headers['deletion-id']).toEqual(expect.any(String));
    });

    test('the results are in the order of the request', async () => {
      const jobIds = await client.newJobs(20);
      const shuffled = [
        ...jobIds.filter((_, index) => index % 2 === 1),
        ...jobIds.filter((_, index) => index % 2 === 0),
      ];
      expectAccepted(await client.call({ format, sandbox, jobIds: shuffled }), shuffled, sandbox);
    });
  });

  test('a live request removes exactly its jobs, permanently', async () => {
    const [first = '', second = '', kept = ''] = await client.newJobs(3);
    const { accountId } = client.account;
    const deletionId = expectAccepted(await client.call({ format, jobIds: [first, second] }), [
      first,
      second,
    ]);
    await until(
      async () => (await service.operator.store.findDeletion(deletionId, accountId))?.state === 'completed',
    );
    expect(await service.operator.store.findJob(accountId, first)).toBeUndefined();
    expect(await service.operator.store.findJob(accountId, second)).toBeUndefined();
    expect((await service.operator.store.findJob(accountId, kept))?.deletionId).toBeUndefined();
  });

  test('the sandbox accepts the same jobs repeatedly, and writes nothing', async () => {
    const jobIds = await client.newJobs(3);
    await untilSettled(service.dataDir);
    const before = dumpTables(service.dataDir);
    for (const idempotencyKey of [undefined, 'a key', 'a key'])
      expectAccepted(
        await client.call({ format, jobIds, sandbox: true, ...(idempotencyKey && { idempotencyKey }) }),
        jobIds,
        true,
      );
    expect(dumpTables(service.dataDir)).toBe(before);
    expectAccepted(await client.call({ format, jobIds }), jobIds);
  });
});

test('every request has a unique Request-Id', async () => {
  const jobIds = await client.newJobs(1);
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.call({ jobIds, sandbox: true })));
  expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(10);
});

test('a Request-Id from the caller is ignored', async () => {
  const requestId = '11111111-1111-4111-8111-111111111111';
  const answer = await client.call({ headers: { 'Request-Id': requestId, 'X-Request-Id': requestId } });
  expectStamped(answer.headers, 'en');
  expect(answer.headers['request-id']).not.toBe(requestId);
});

test.each([
  ['the shortest id', 'a1B2'],
  ['the longest id', 'Z'.repeat(128)],
  ['an id of digits only', '00012345'],
  ['an id that is a JavaScript name', 'constructor'],
])('%s is accepted', async (_, id) => {
  await service.operator.importJobs(client.account.accountId, [id]);
  for (const format of ['json', 'xml'] as const)
    expectAccepted(await client.call({ format, jobIds: [id], sandbox: true }), [id], true);
  expectAccepted(await client.call({ jobIds: [id] }), [id]);
});

test('ids that differ only in letter case are different jobs', async () => {
  await service.operator.importJobs(client.account.accountId, ['CaseTest', 'casetest']);
  expectAccepted(await client.call({ jobIds: ['casetest', 'CaseTest'] }), ['casetest', 'CaseTest']);
});

test('the audit record names the caller', async () => {
  const jobIds = await client.newJobs(1);
  const headers = { 'User-Agent': 'shop/3.1 (Linux) php/8', 'X-Client-Lang': 'C#' };
  const answer = await client.call({ jobIds, headers, language: 'es' });
  const deletion = await service.operator.store.findDeletion(expectAccepted(answer, jobIds), undefined);
  expect(deletion?.origin).toEqual({
    requestId: answer.headers['request-id'],
    language: 'es',
    userAgent: 'shop/3.1 (Linux) php/8',
    clientTechnology: 'C#',
    webOrigin: client.account.origin,
    tokenId: client.account.token.split('_')[1],
  });
  expect(deletion?.accountId).toBe(client.account.accountId);
});
