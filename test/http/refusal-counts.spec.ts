import { expect, test } from '@jest/globals';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, newJobIds } from './client.ts';

const service = useService();

async function countsOf(accountId: string): Promise<Record<string, number>> {
  const counts = await service.operator.accounts.listRefusals(accountId, '2026-01-01');
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const { day } of counts) expect([today, yesterday]).toContain(day);
  return Object.fromEntries(counts.map(({ code, count }) => [code, count]));
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
    body_malformed: 1,
    origin_not_allowed: 1,
    secret_key_invalid: 1,
  });
  expect(await countsOf('other')).toEqual({ body_malformed: 1 });
});
