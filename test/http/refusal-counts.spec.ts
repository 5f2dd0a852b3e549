import { expect, test } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, newJobIds } from './client.ts';

const service = useService();

async function countsOf(accountId: string): Promise<Record<string, number>> {
  const counts = await service.operator.accounts.listRefusals(accountId, '2026-01-01');
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const { day } of counts) expect([today, yesterday]).toContain(day);
  const sums = counts.flatMap(({ code, count, sandboxCount = 0 }): [string, number][] => [
    [code, count],
    [`${code} in the sandbox`, sandboxCount],
  ]);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}

test('a stopped gateway has counted the refused requests of each account by code', async () => {
  const gateway = await startAnotherGateway(service);
  const refused = (await createClient(service, 'refused')).at(gateway.baseUrl);
  const other = (await createClient(service, 'other')).at(gateway.baseUrl);

  for (let request = 0; request < 3; request++)
    expectProblem(await refused.call({ jobIds: newJobIds(1) }), 'job_not_found');
  expectProblem(await refused.call({ body: '{', sandbox: true }), 'body_malformed');
  expectProblem(await refused.call({ headers: { Origin: 'https://else.example' } }), 'origin_not_allowed');
  expectProblem(await refused.call({ headers: { Usersecretkey: 'wrong' } }), 'secret_key_invalid');
  // An unknown token names no account.
  expectProblem(await refused.call({ headers: { Authorization: 'Bearer wrong' } }), 'token_invalid');
  const jobIds = await other.newJobs(2);
  expectAccepted(await other.call({ jobIds }), jobIds);
  expectProblem(await other.call({ body: '{' }), 'body_malformed');

  await gateway.stop();
  expect(await countsOf('refused')).toEqual({
    job_not_found: 3,
    'body_malformed in the sandbox': 1,
    origin_not_allowed: 1,
    secret_key_invalid: 1,
  });
  expect(await countsOf('other')).toEqual({ body_malformed: 1 });
});

test('a stopped gateway has stored the refused requests of each account, without any secret', async () => {
  const gateway = await startAnotherGateway(service);
  const acme = (await createClient(service, 'listed')).at(gateway.baseUrl);
  const other = (await createClient(service, 'foreign')).at(gateway.baseUrl);
  const { token, secretKey } = acme.account;
  const idOf = ({ headers }: HttpAnswer) => String(headers['request-id']);
  const secretOf = (text: string) => text.slice(-64);

  const known = await acme.newJobs(1);
  const missing = await acme.call({ jobIds: [...known, 'MISSING1', 'MISSING2'] });
  const sandbox = await acme.call({ body: '{', sandbox: true });
  const wrongKey = await acme.call({
    headers: { Usersecretkey: `${secretKey.slice(0, -1)}x`, Origin: `https://${secretOf(token)}.example` },
  });
  const wrongOrigin = await acme.call({
    headers: { Origin: `https://ada:${secretKey}@else.example`, 'User-Agent': `my-client/1.0 ${token}` },
  });
  // An unknown token names no account, also if it has the secret of another one.
  const wrongToken = `jdt_${'0'.repeat(24)}_${secretOf(token)}`;
  expectProblem(await acme.call({ headers: { Authorization: `Bearer ${wrongToken}` } }), 'token_invalid');
  const foreign = await other.call({ body: '{' });
  await gateway.stop();

  const query = { fromMs: Date.now() - 600_000, pageSize: 10 };
  const { accounts } = service.operator;
  const listed = await accounts.listRefusedRequests({ ...query, accountId: 'listed' });
  const byId = new Map(listed.map((request) => [request.id, request]));
  const tokenId = token.split('_')[1];
  expect(byId.size).toBe(4);
  expect(byId.get(idOf(missing))).toMatchObject({
    environment: 'live',
    status: 404,
    code: 'job_not_found',
    tokenId,
    jobs: 3,
    wrongEntries: 2,
    wrongEntry: 'MISSING1',
  });
  expect(byId.get(idOf(sandbox))).toMatchObject({
    environment: 'sandbox',
    status: 400,
    code: 'body_malformed',
  });
  expect(byId.get(idOf(wrongKey))).toMatchObject({
    status: 403,
    code: 'secret_key_invalid',
    origin: 'https://….example',
  });
  expect(byId.get(idOf(wrongOrigin))).toMatchObject({
    code: 'origin_not_allowed',
    origin: 'https://…@else.example',
    client: 'my-client/1.0 jdt…',
  });
  expect(JSON.stringify(listed)).not.toMatch(new RegExp(`${secretOf(token)}|${secretOf(secretKey)}`));
  const ofOther = await accounts.listRefusedRequests({ ...query, accountId: 'foreign' });
  expect(ofOther.map(({ id }) => id)).toEqual([idOf(foreign)]);
});
