import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dumpTables, untilSettled } from '../harness/dump-tables.ts';
import { send, type HttpAnswer } from '../harness/http-client.ts';
import { startAnotherGateway, type TestAccount } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client, type ClientCall } from '../http/client.ts';

const names = ['A', 'B', 'C'] as const;
type Name = (typeof names)[number];

const service = useService();
const clients = new Map<Name, Client>();
const jobsOf = new Map<Name, string[]>();
beforeAll(async () => {
  for (const name of names) {
    const client = await createClient(service, `account-${name}`);
    clients.set(name, client);
    jobsOf.set(name, await client.newJobs(30));
  }
  await untilSettled(service.dataDir);
});

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

/** The ids that a request can name. */
interface Named {
  readonly jobId: string;
  readonly deletionId: string;
}

const deletion = (sandbox: boolean, format: 'json' | 'xml') => ({
  call: ({ jobId }: Named): ClientCall => ({ sandbox, format, jobIds: [jobId] }),
  code: 'job_not_found' as const,
});
const status = (method: string, query = '') => ({
  call: ({ deletionId }: Named): ClientCall => ({
    method,
    path: `/v1/deletions/${deletionId}${query}`,
    body: '',
  }),
  code: 'deletion_not_found' as const,
});

/** The answer is about the account of the credentials, whichever a request names. */
const whoami = (method: string) => ({
  call: ({ jobId }: Named): ClientCall => ({
    method,
    path: `/v1/whoami?id=${jobId}&account=account-named&account_id=account-named`,
    body: '',
    headers: { 'Account-Id': 'account-named' },
  }),
  code: undefined,
});

/** The list names no job of another account, wherever a request names one. */
const list = (method: string) => ({
  call: ({ jobId }: Named): ClientCall => ({
    method,
    path: `/v1/jobs?limit=10000&after=0&id=${jobId}&account=account-named&account_id=account-named`,
    body: '',
    headers: { 'Account-Id': 'account-named' },
  }),
  code: undefined,
});

/** How a caller names things at each route of the API, and the refusal of a name of another account. */
const routes = {
  'DELETE /v1/json/jobs-delete': deletion(false, 'json'),
  'DELETE /v1/xml/jobs-delete': deletion(false, 'xml'),
  'DELETE /v1-sandbox/json/jobs-delete': deletion(true, 'json'),
  'DELETE /v1-sandbox/xml/jobs-delete': deletion(true, 'xml'),
  'GET /v1/whoami': whoami('GET'),
  'HEAD /v1/whoami': whoami('HEAD'),
  'GET /v1/jobs': list('GET'),
  'HEAD /v1/jobs': list('HEAD'),
  'GET /v1/deletions/{Deletion-Id}': status('GET', '?wait=1'),
  'HEAD /v1/deletions/{Deletion-Id}': status('HEAD'),
  'DELETE /v1/deletions/{Deletion-Id}': status('DELETE'),
};
/** The owner's status is 200 elsewhere. This deletion is completed, and can't be cancelled. */
const ownStatusOf: Readonly<Record<string, number>> = { 'DELETE /v1/deletions/{Deletion-Id}': 409 };
describe('every route of the API', () => {
  let owner: Client;
  const unknown: Named = { jobId: 'Nobody0001', deletionId: randomUUID() };
  beforeAll(async () => (owner = await createClient(service, 'account-named')));
  const newNames = async (client = owner): Promise<Named> => {
    const [jobId = ''] = await client.newJobs(1);
    const { headers } = await client.call({ jobIds: await client.newJobs(1) });
    await untilSettled(service.dataDir);
    return { jobId, deletionId: String(headers['deletion-id']) };
  };

  test('is in the table', async () => {
    const { json } = await send(service.baseUrl, { method: 'GET', path: '/openapi.json' });
    const { paths } = json as { paths: Record<string, object> };
    // The document leaves out HEAD and the public documents, which name nothing of an account.
    const found = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((name) => !name.startsWith('x-') && name !== 'parameters')
        .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
        .map((method) => `${method} ${path}`),
    );
    expect(found.toSorted()).toEqual(Object.keys(routes).toSorted());
    // The gateway names its own paths where it knows none.
    const { detail } = expectProblem(
      await clientOf('A').call({ path: '/v1/jobs-delete' }),
      'route_not_found',
    );
    const paths404 = new Set(detail.match(/\/v1[^\s,.]*/g)?.slice(1));
    expect(paths404).toEqual(new Set(Object.keys(routes).map((route) => route.split(' ')[1])));
  });

  test.each(Object.entries(routes))(
    '%s: a name of another account is an unknown one',
    async (name, route) => {
      const shown = ({ status: code, headers, text }: HttpAnswer, { jobId }: Named) => ({
        code,
        headers: { ...headers, date: '', 'request-id': '', 'content-length': '' },
        text: text.replaceAll(/urn:uuid:[0-9a-f-]+/g, '').replaceAll(jobId, 'ID'),
      });
      const named = await newNames();
      const before = dumpTables(service.dataDir);
      const answer = await clientOf('A').call(route.call(named));
      expect(answer.status).toBe(route.code === undefined ? 200 : 404);
      if (answer.text !== '' && route.code !== undefined)
        expect(answer.json).toMatchObject({ code: route.code });
      if (route.code === undefined) expect(answer.text).not.toContain(named.jobId);
      expect(shown(answer, named)).toEqual(shown(await clientOf('A').call(route.call(unknown)), unknown));
      expect(dumpTables(service.dataDir)).toBe(before);
      expect((await owner.call(route.call(named))).status).toBe(ownStatusOf[name] ?? 200);
      await untilSettled(service.dataDir);
    },
  );

  test.each(Object.entries(routes))('%s: without credentials nothing happens', async (_, route) => {
    const { token, secretKey, origin } = accountOf('A');
    const { accountId } = owner.account;
    const named = await newNames();
    const wrong = [
      { Authorization: undefined, Usersecretkey: undefined, Origin: undefined },
      { Authorization: undefined },
      { Authorization: `Basic ${Buffer.from(`${accountId}:`).toString('base64')}` },
      { Authorization: `Bearer ${accountId}` },
      { Authorization: `Bearer ${token.slice(0, -1)}` },
      { Usersecretkey: undefined },
      { Usersecretkey: token },
      { Authorization: `Bearer ${secretKey}` },
      { Origin: undefined },
      { Origin: `${origin}.evil.example` },
      { Authorization: undefined, Cookie: `token=${owner.account.token}`, 'X-Account-Id': accountId },
    ];
    const before = dumpTables(service.dataDir);
    for (const headers of wrong) {
      const call = route.call(named);
      const answer = await owner.call({ ...call, headers });
      expect([401, 403]).toContain(answer.status);
      const toUnknown = await owner.call({ ...route.call(unknown), headers });
      expect(toUnknown.status).toBe(answer.status);
    }
    expect(dumpTables(service.dataDir)).toBe(before);
  });

  test('refuses the credentials of a disabled account', async () => {
    const client = await createClient(service, 'account-disabled');
    const own = await newNames(client);
    await service.operator.accounts.changeAccount('account-disabled', { disabledAtMs: Date.now() });
    // Its cache has never seen the account.
    const other = await startAnotherGateway(service);
    for (const { call } of Object.values(routes)) {
      const answer = await client.at(other.baseUrl).call(call(own));
      expect(answer.status).toBe(403);
      if (answer.text !== '') expect(answer.json).toMatchObject({ code: 'token_invalid' });
    }
    await other.stop();
    expect(await service.operator.store.countJobs('account-disabled')).toBe(1);
  });
});

test('a list of jobs has exactly the jobs of the account, after any id of another one', async () => {
  const [ofA, ofB] = (['A', 'B'] as const).map((name) => jobsOf.get(name) ?? []);
  const idsAfter = async (after: string) => {
    const answer = await clientOf('B').call({ method: 'GET', path: `/v1/jobs?after=${after}`, body: '' });
    return (answer.json as { jobs: { id: string }[] }).jobs.map(({ id }) => id);
  };
  const own = await idsAfter('0');
  expect(ofB).toEqual(expect.arrayContaining(own));
  expect(own.length).toBeGreaterThan(20);
  for (const after of ofA ?? []) expect(await idsAfter(after)).toEqual(own);
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
