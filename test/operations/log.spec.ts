import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody, send } from '../harness/http-client.ts';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { expectNothingLeaked, keepJobIds, keepSecret, watchLine } from '../harness/watch-log.ts';

const newPath = temporaryFolder();

reapAfterEach();

test('a request is logged in one line with its outcome, and a removal in one line with its counts', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  const jobIds = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir, { env: { LOG_LEVEL: 'info' } });
  const baseUrl = await serve.ready;
  const linesOf = (msg: string) =>
    serve
      .stderr()
      .split('\n')
      .filter((line) => line.includes(`"msg":"${msg}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  const headers = callerHeaders(account);
  const accepted = await send(baseUrl, { headers, body: jsonBody(jobIds.slice(0, 3)) });
  await until(() => linesOf('request').length === 1);
  const refused = await send(baseUrl, { headers, body: jsonBody(jobIds.slice(0, 1)) });
  await until(() => linesOf('request').length === 2);
  const unauthenticated = { ...headers, Authorization: `Bearer ${jobIds[5] ?? ''}` };
  const unknown = await send(baseUrl, { path: `/v1/json/jobs/${jobIds[4] ?? ''}`, headers: unauthenticated });
  await until(() => linesOf('request').length === 3);

  const seen = { level: 30, part: 'gateway', method: 'DELETE', ms: expect.any(Number) };
  const known = { ...seen, endpoint: '/v1/json/jobs-delete', accountId: 'Acme' };
  expect(linesOf('request')).toEqual([
    expect.objectContaining({
      ...known,
      requestId: accepted.headers['request-id'],
      status: 200,
      jobs: 3,
      deletionId: accepted.headers['deletion-id'],
    }),
    expect.objectContaining({
      ...known,
      requestId: refused.headers['request-id'],
      status: 404,
      jobs: 1,
      refusal: 'job_not_found',
    }),
    expect.objectContaining({
      ...seen,
      requestId: unknown.headers['request-id'],
      status: 404,
      refusal: 'route_not_found',
    }),
  ]);
  await until(() => linesOf('removed').length === 1);
  expect(linesOf('removed')).toEqual([expect.objectContaining({ part: 'deleter', jobs: 3, events: 1 })]);
});

test('a refusal is logged with the network, the id of the token, the account of a right token, and a wrong Origin', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  const serve = spawnServe(dataDir, { env: { LOG_LEVEL: 'info', RATE_LIMIT_REQUESTS: '1' } });
  const baseUrl = await serve.ready;
  const body = jsonBody(pools[0]?.jobIds.slice(0, 1) ?? []);
  const headers = callerHeaders(account);
  const tokenId = account.token.split('_')[1];
  const unknownId = '0123456789abcdef01234567';
  const unknown = `jdt_${unknownId}_${'0'.repeat(64)}`;
  keepSecret(unknown);
  for (const changed of [
    { Authorization: 'Basic eA==' },
    { Authorization: `Bearer ${unknown}` },
    { Usersecretkey: 'wrong' },
    { Origin: 'https://other.example' },
    {},
    {},
  ])
    await send(baseUrl, { headers: { ...headers, ...changed }, body });

  const lines = () =>
    serve
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await until(() => lines().length === 6);
  const seen = lines().map(({ refusal, network, tokenId: id, accountId, origin }) => [
    ...[refusal, network, id, accountId],
    ...(origin === undefined ? [] : [origin]),
  ]);
  const from = '127.0.0.1';
  expect(seen).toEqual([
    ['authentication_required', from, undefined, undefined],
    ['token_invalid', from, unknownId, undefined],
    ['secret_key_invalid', from, tokenId, 'Acme'],
    ['origin_not_allowed', from, tokenId, 'Acme', 'https://other.example'],
    [undefined, undefined, tokenId, 'Acme'],
    ['too_many_requests', from, tokenId, 'Acme'],
  ]);
  expectNothingLeaked();

  const { stdout } = await runJobsDelete(['tokens', 'list', '--account', 'Acme', '--json'], {
    DATA_DIR: dataDir,
  });
  const [token] = JSON.parse(stdout) as { last_refused_at: string | null }[];
  expect(Date.parse(token?.last_refused_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
});

test('the deletion names the service that asked for it', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error('there is no account');
  const baseUrl = await spawnServe(dataDir).ready;
  const body = jsonBody(pools[0]?.jobIds.slice(0, 1) ?? []);
  const answer = await send(baseUrl, { headers: callerHeaders(account), body });
  const id = String(answer.headers['deletion-id']);
  const { stdout } = await runJobsDelete(['deletions', 'show', id, '--json'], { DATA_DIR: dataDir });
  expect(JSON.parse(stdout)).toMatchObject({ caller: 'token:the gateway of serve' });
});

test('the suite fails on a logged secret at any level, and on a job id above debug', () => {
  keepSecret('jdt_of-the-watch-itself');
  keepJobIds(['OfTheWatch0001']);
  const line = (level: number, text: string) => JSON.stringify({ level, msg: text });
  watchLine(line(20, 'the jobs are [OfTheWatch0001]'));
  watchLine(line(30, 'OfTheWatch00012'));
  expect(expectNothingLeaked).not.toThrow();
  watchLine(line(30, 'the jobs are [OfTheWatch0001]'));
  expect(expectNothingLeaked).toThrow('the id of a job');
  for (const leak of [line(20, 'Bearer jdt_of-the-watch-itself'), 'Cannot start: jdt_of-the-watch-itself']) {
    watchLine(leak);
    expect(expectNothingLeaked).toThrow('a secret');
  }
});

test('the start of a stop and its end are logged', async () => {
  const serve = spawnServe(newPath('data'), { env: { LOG_LEVEL: 'info' } });
  await serve.ready;
  serve.kill('SIGTERM');
  expect(await serve.exited).toEqual({ code: 0, signal: null });
  expect(serve.stderr()).toMatch(/"msg":"stopping"\}\n(?:.*\n)*.*"msg":"stopped"\}\n$/);
});

/** Runs a command on a new terminal. */
const onTerminal = ['bash', '-c', 'exec script -qfec "$(printf "%q " "$@")" /dev/null', '--'];

test('serve logs in a readable form on a terminal', async () => {
  const serve = spawnServe(newPath('data'), { env: { LOG_LEVEL: 'info' }, wrapper: onTerminal });
  const output = () => serve.stdout() + serve.stderr();
  await fetch(`${await serve.ready}/nowhere`);
  await until(() => output().includes('route_not_found'));
  expect(output()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] .*INFO.*request.*"status":404/m);
  expect(output()).not.toContain('"level":30');
});
