import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dumpTables, untilSettled } from '../harness/dump-tables.ts';
import { startService, type TestAccount, type TestService } from '../harness/service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from '../http/client.ts';

const names = ['A', 'B', 'C'] as const;
type Name = (typeof names)[number];

let service: TestService;
const clients = new Map<Name, Client>();
const jobsOf = new Map<Name, string[]>();
beforeAll(async () => {
  service = await startService();
  for (const name of names) {
    const client = await createClient(service, `account-${name}`);
    clients.set(name, client);
    jobsOf.set(name, await client.newJobs(30));
  }
  await untilSettled(service.dataDir);
});
afterAll(() => service.stop());

const clientOf = (name: Name): Client => clients.get(name) as Client;
const accountOf = (name: Name): TestAccount => clientOf(name).account;

const triples = names.flatMap((token) =>
  names.flatMap((secretKey) => names.map((origin) => ({ token, secretKey, origin }))),
);

describe.each(['json', 'xml'] as const)('%s', (format) => {
  test.each(triples)('token of $token, secret key of $secretKey, origin of $origin', async (from) => {
    const headers = {
      Authorization: `Bearer ${accountOf(from.token).token}`,
      Usersecretkey: accountOf(from.secretKey).secretKey,
      Origin: accountOf(from.origin).origin,
    };
    const isOne = from.token === from.secretKey && from.token === from.origin;
    const before = dumpTables(service.dataDir);
    for (const owner of names) {
      const jobIds = jobsOf.get(owner)?.slice(0, 2) ?? [];
      for (const sandbox of [false, true]) {
        if (isOne && owner === from.token && !sandbox) continue;
        const answer = await clientOf(from.token).call({ format, sandbox, jobIds, headers });
        if (from.secretKey !== from.token) expectProblem(answer, 'secret_key_invalid');
        else if (from.origin !== from.token) expectProblem(answer, 'origin_not_allowed');
        else if (owner !== from.token) expectProblem(answer, 'job_not_found');
        else expectAccepted(answer, jobIds, true);
      }
    }
    expect(dumpTables(service.dataDir)).toBe(before);
  });

  test.each(names)(
    'one job of another account in a request of %s prevents the whole deletion',
    async (name) => {
      const own = jobsOf.get(name)?.slice(0, 5) ?? [];
      for (const another of names.filter((each) => each !== name)) {
        const [foreign = ''] = jobsOf.get(another) ?? [];
        const before = dumpTables(service.dataDir);
        for (const position of [0, 2, 5]) {
          const answer = await clientOf(name).call({ format, jobIds: own.toSpliced(position, 0, foreign) });
          const { errors } = expectProblem(answer, 'job_not_found');
          expect(errors?.map(({ pointer, job_id }) => [pointer, job_id])).toEqual([
            [`/jobs/job/${String(position)}/id`, foreign],
          ]);
        }
        expect(dumpTables(service.dataDir)).toBe(before);
      }
    },
  );
});

test('no answer to one account contains data of another', async () => {
  const { accountId, token, secretKey, origin } = accountOf('B');
  const answer = await clientOf('A').call({ jobIds: jobsOf.get('B') ?? [] });
  for (const secret of [
    accountId,
    token,
    secretKey,
    origin,
    token.split('_')[1] ?? '',
    secretKey.split('_')[1] ?? '',
  ])
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(secret);
});

test('concurrent requests of several accounts each delete only their own jobs', async () => {
  const requests = names.flatMap((name) => (jobsOf.get(name) ?? []).slice(10).map((id) => ({ name, id })));
  const answers = await Promise.all(requests.map(({ name, id }) => clientOf(name).call({ jobIds: [id] })));
  for (const [index, { name, id }] of requests.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error('no answer');
    const deletion = await service.operator.store.findDeletion(expectAccepted(answer, [id]), undefined);
    expect(deletion).toMatchObject({ accountId: accountOf(name).accountId, jobIds: [id] });
  }
  await untilSettled(service.dataDir);
  for (const name of names)
    expect(await service.operator.store.countJobs(accountOf(name).accountId)).toBe(10);
});
