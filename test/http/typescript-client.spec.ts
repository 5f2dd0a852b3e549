import { beforeAll, describe, expect, test } from '@jest/globals';
import { IncompleteError, JobsDeleteClient, type ClientOptions } from '@jobs-delete/client';
import { useService } from '../harness/use-service.ts';
import { createClient, newJobIds, type Client } from './client.ts';

const service = useService({ MAX_JOBS_PER_REQUEST: '50' });
let caller: Client;
beforeAll(async () => {
  caller = await createClient(service, 'typescript');
});

const clientFor = (more: Partial<ClientOptions> = {}) => {
  const { token, secretKey, origin } = caller.account;
  const { baseUrl } = caller;
  return new JobsDeleteClient({ baseUrl, token, secretKey, origin, userAgent: 'shop/1.0', ...more });
};

describe.each(['json', 'xml'] as const)('the TypeScript client with %s', (format) => {
  test('deletes more jobs than a request may contain', async () => {
    const jobIds = await caller.newJobs(175);
    const report = await clientFor({ format }).deleteJobs(jobIds);
    expect(report).toMatchObject({ acceptedJobs: 175, refused: [], unknown: [] });
    for (const { deletionId = '', jobs } of report.deletions)
      expect(await clientFor().waitUntilRemoved(deletionId)).toMatchObject({ deletionId, jobs });
    expect(report.deletions.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(175);
    const again = clientFor({ format }).deleteJobs(jobIds);
    await expect(again).rejects.toMatchObject({ cause: { status: 404, code: 'job_not_found' } });
  });

  test('deletes the jobs that exist, and names the others', async () => {
    const [jobIds, unknown] = [await caller.newJobs(20), newJobIds(3)];
    const wanted = [...jobIds.slice(0, 10), ...unknown, 'a b', ...jobIds.slice(10)];
    const report = await clientFor({ format }).deleteJobs(wanted, { onRefusal: 'split' });
    expect(report.acceptedJobs).toBe(20);
    expect(report.refused.map(({ jobId, reason }) => [jobId, reason.code])).toEqual([
      ['a b', 'job_id_malformed'],
      ...unknown.map((id) => [id, 'job_not_found']),
    ]);
  });

  test('changes nothing in the sandbox', async () => {
    const jobIds = await caller.newJobs(5);
    const report = await clientFor({ format, sandbox: true }).deleteJobs(jobIds);
    expect(report.deletions).toEqual([{ deletionId: undefined, jobs: 5 }]);
    expect((await clientFor({ format }).deleteJobs(jobIds)).acceptedJobs).toBe(5);
  });
});

test('the TypeScript client lists the jobs of the account over pages', async () => {
  const owner = await createClient(service, 'listed');
  const jobIds = await owner.newJobs(7);
  const { token, secretKey, origin } = owner.account;
  const client = clientFor({ token, secretKey, origin });
  await client.deleteJobs(jobIds.slice(2, 4));
  const listed: string[] = [];
  for await (const id of client.jobs({ pageSize: 2 })) listed.push(id);
  expect(listed).toEqual([...jobIds.slice(0, 2), ...jobIds.slice(4)]);
});

test('a wrong credential fails with the server’s problem, in the requested language', async () => {
  const deletion = clientFor({ token: 'wrong', language: 'fr' }).deleteJobs(newJobIds(1));
  await expect(deletion).rejects.toBeInstanceOf(IncompleteError);
  await expect(deletion).rejects.toMatchObject({
    message:
      'Ce n’est pas un jeton d’API complet. Un jeton commence par jdt_ et compte 93 caractères. Copiez-le de nouveau.',
    cause: { status: 403, code: 'token_invalid' },
  });
});
