import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { useService } from '../harness/use-service.ts';
import { until } from '../harness/until.ts';
import { createClient, expectAccepted, expectProblem, newJobIds, pathOf, type Client } from './client.ts';
import { problems } from './contract.ts';

const service = useService();
let mine: Client;
let theirs: Client;
beforeAll(async () => {
  mine = await createClient(service, 'mine');
  theirs = await createClient(service, 'theirs');
});

const untilGone = (client: Client, jobId: string) =>
  until(async () => (await service.operator.store.findJob(client.account.accountId, jobId)) === undefined);

/** Jobs that cannot be deleted. No answer may reveal the reason. */
const reasons: Readonly<Record<string, () => Promise<string>>> = {
  'that never existed': () => Promise.resolve(newJobIds(1)[0] ?? ''),
  'of another account': async () => (await theirs.newJobs(1))[0] ?? '',
  'that another account has deleted': async () => {
    const [id = ''] = await theirs.newJobs(1);
    expectAccepted(await theirs.call({ jobIds: [id] }), [id]);
    await untilGone(theirs, id);
    return id;
  },
  'accepted just before': async () => {
    const [id = ''] = await mine.newJobs(1);
    expectAccepted(await mine.call({ jobIds: [id] }), [id]);
    return id;
  },
  'deleted long ago': async () => {
    const [id = ''] = await mine.newJobs(1);
    expectAccepted(await mine.call({ jobIds: [id] }), [id]);
    await untilGone(mine, id);
    return id;
  },
  'that exists in another letter case': async () => (await mine.newJobs(1))[0]?.toUpperCase() ?? '',
};

describe.each(['json', 'xml'] as const)('%s', (format) => {
  test.each([true, false])('the answer is the same for every reason (sandbox: %s)', async (sandbox) => {
    const answers: unknown[] = [];
    for (const reason of Object.values(reasons)) {
      const id = await reason();
      const answer = await mine.call({ format, sandbox, jobIds: [id] });
      const problem = expectProblem(answer, 'job_not_found');
      expect(problem.errors).toEqual([
        {
          pointer: '/jobs/job/0/id',
          job_id: id,
          code: 'job_not_found',
          message: problems.job_not_found.en,
          detail: expect.stringContaining(id),
        },
      ]);
      answers.push(withoutIds(answer, id));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

/** The answer without its request id, its time and the job id. */
function withoutIds({ status, headers, text }: HttpAnswer, jobId: string) {
  const requestId = String(headers['request-id']);
  const own = { ...headers, 'request-id': undefined, date: undefined };
  return { status, headers: own, text: text.replaceAll(jobId, 'ID').replaceAll(requestId, 'REQUEST') };
}

test('every missing job is named in the order of the request, and the other jobs stay', async () => {
  const good = await mine.newJobs(3);
  const bad: string[] = [];
  for (const reason of Object.values(reasons)) bad.push(await reason());
  const jobIds = [
    ...good.slice(0, 1),
    ...bad.slice(0, 3),
    ...good.slice(1, 2),
    ...bad.slice(3),
    ...good.slice(2),
  ];
  const { errors } = expectProblem(await mine.call({ jobIds }), 'job_not_found');
  expect(errors?.map(({ job_id }) => job_id)).toEqual(bad);
  expect(errors?.map(({ pointer }) => pointer)).toEqual(
    bad.map((id) => `/jobs/job/${String(jobIds.indexOf(id))}/id`),
  );
  // The other jobs are not claimed: the next request deletes them.
  expectAccepted(await mine.call({ jobIds: good }), good);
});

test('two accounts may have a job with the same id', async () => {
  const [id = ''] = newJobIds(1);
  for (const { account } of [mine, theirs]) await service.operator.importJobs(account.accountId, [id]);
  expectAccepted(await mine.call({ jobIds: [id] }), [id]);
  await untilGone(mine, id);
  expect((await service.operator.store.findJob('theirs', id))?.deletionId).toBeUndefined();
  expectProblem(await mine.call({ jobIds: [id] }), 'job_not_found');
  expectAccepted(await theirs.call({ jobIds: [id] }), [id]);
});

test('a job posted again under the same id can be deleted again', async () => {
  const [id = ''] = await mine.newJobs(1);
  const first = expectAccepted(await mine.call({ jobIds: [id] }), [id]);
  await untilGone(mine, id);
  await service.operator.importJobs('mine', [id]);
  expect(expectAccepted(await mine.call({ jobIds: [id] }), [id])).not.toBe(first);
});

test('exactly one of many concurrent requests for one job is accepted', async () => {
  const jobIds = await mine.newJobs(5);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      mine.call({ jobIds: index % 2 ? jobIds : jobIds.toReversed(), format: index % 3 ? 'json' : 'xml' }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 404)).toHaveLength(19);
});

test('overlapping requests delete each job once, and a refused one deletes none', async () => {
  const jobIds = await mine.newJobs(10);
  const pairs = jobIds.map((id, index) => [id, jobIds[(index + 1) % 10] ?? '']);
  const answers = await Promise.all(pairs.map((pair) => mine.call({ jobIds: pair })));
  const taken = pairs.filter((_, index) => answers[index]?.status === 200).flat();
  expect(new Set(taken).size).toBe(taken.length);
  const left = jobIds.filter((id) => !taken.includes(id));
  if (left.length > 0) expectAccepted(await mine.call({ jobIds: left }), left);
});

test('the sandbox gives the same answer for every job as the live path', async () => {
  const jobIds = await mine.newJobs(2);
  const path = pathOf('json', true);
  expectAccepted(await mine.call({ path, jobIds }), jobIds, true);
  expectAccepted(await mine.call({ jobIds }), jobIds);
  expectProblem(await mine.call({ path, jobIds }), 'job_not_found');
});
