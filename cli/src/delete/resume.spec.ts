import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { useCommandLine, type Overrides } from '../program.fixture.ts';
import {
  startCountingServer,
  type CountingServer,
  type CountingServerOptions,
} from './counting-server.fixture.ts';

const cli = useCommandLine();
const servers: CountingServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const ids = Array.from({ length: 40 }, (_, index) => `JOB${String(index).padStart(4, '0')}`);
const missing = ['JOB0003', 'JOB0011', 'JOB0012', 'JOB0039'];
const exists = (jobId: string) => !missing.includes(jobId);
const live = ids.filter(exists);

const options = ['--jobs-per-request', '10', '--continue-on-error', '--json'];

async function startServer(more: CountingServerOptions = {}) {
  const server = await startCountingServer({ exists, ...more });
  servers.push(server);
  return server;
}

function run({ baseUrl }: { baseUrl: string }, args: readonly string[] = options, more: Overrides = {}) {
  const env = {
    JOBS_DELETE_BASE_URL: baseUrl,
    JOBS_DELETE_TOKEN: 'a-token',
    JOBS_DELETE_SECRET_KEY: 'a-key',
    JOBS_DELETE_ORIGIN: 'https://acme.example',
  };
  writeFileSync(input(), ids.join('\n'));
  return cli.runWith({ env, ...more }, 'delete', input(), '--journal', journal(), ...args);
}
const input = () => join(cli.dataDir(), 'a.txt');
const journal = () => join(cli.dataDir(), 'a.journal');

/** The journal of a whole run against a server that allows 4 jobs in a request at first sight. */
async function wholeJournal(server: CountingServer): Promise<string> {
  expect((await run(server)).exitCode).toBe(1);
  return readFileSync(journal(), 'utf8');
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly key?: string });

/** Requests that the server knows when a run ends here: the answered ones, and perhaps others. */
function knownKeys(lines: ReturnType<typeof linesOf>, unanswered: 'accepted' | 'lost'): Set<string> {
  const keysOf = (kinds: readonly string[]) =>
    lines.flatMap(({ kind, key }) => (key !== undefined && kinds.includes(kind) ? [key] : []));
  const sent = new Set(keysOf(['sent']));
  for (const key of keysOf(['refused', 'reopened'])) sent.delete(key);
  return unanswered === 'accepted' ? sent : new Set(keysOf(['accepted']));
}

test.each(['accepted', 'lost'] as const)(
  'a run that ends after any line of its journal continues exactly; requests without an answer are %s',
  async (unanswered) => {
    const first = await startServer({ maxJobs: 4 });
    const text = await wholeJournal(first);
    expect(linesOf(text).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['sent', 'accepted', 'refused', 'reopened']),
    );
    for (let cut = text.indexOf('\n') + 1; cut !== 0; cut = text.indexOf('\n', cut) + 1) {
      const known = knownKeys(linesOf(text.slice(0, cut)), unanswered);
      const server = await startServer({ maxJobs: 4 });
      for (const [key, request] of first.byKey) {
        if (!known.has(key)) continue;
        server.byKey.set(key, request);
        for (const id of request.jobIds) server.deleted.add(id);
      }
      const cutText = text.slice(0, cut).replace(first.baseUrl, server.baseUrl);
      // A crash may also cut the last line.
      writeFileSync(journal(), `${cutText}{"kind":"acc`);
      // A request that the server found too large may have lost its outcome. Only this option splits it again.
      const outcome = await run(server, [...options, '--resend-expired']);
      expect({ cut, ...(JSON.parse(outcome.stdout) as object) }).toMatchObject({
        complete: true,
        accepted_jobs: live.length,
        refused_jobs: missing.length,
        open_jobs: 0,
      });
      expect([...server.deleted].sort()).toEqual(live);
    }
  },
);

test('a continued run sends only what is left, with the keys of the journal', async () => {
  let answers = 0;
  const server = await startServer({
    exists: () => true,
    beforeAnswer: () => (++answers === 3 ? 'drop' : undefined),
    beforeRequest: () => (answers >= 3 && answers < 5 ? (answers++, 'drop') : undefined),
  });
  const once = [...options, '--concurrency', '1', '--retry-for', '1s'];
  const interrupted = await run(server, once, {
    onInterrupt: (callback) => {
      // After the third request, which is accepted without an answer.
      const watch = setInterval(() => {
        if (answers >= 3) callback();
      }, 1);
      return () => clearInterval(watch);
    },
  });
  expect(interrupted.exitCode).toBe(130);
  expect(interrupted.stderr).toMatch(/^Interrupted\.\nTo continue, run the same command again\n$/m);
  answers = 100;
  const before = server.received.length;
  const continued = await run(server, once);
  expect(continued.exitCode).toBe(0);
  expect(JSON.parse(continued.stdout)).toMatchObject({ complete: true, accepted_jobs: 40, request_count: 4 });
  const resent = server.received.slice(before).map(({ key }) => key);
  expect(resent).toHaveLength(2);
  expect(resent[0]).toBe(server.received[2]?.key);
  expect(server.deleted.size).toBe(40);
});

test('a complete run is not sent again', async () => {
  const server = await startServer();
  await run(server);
  const before = server.received.length;
  const again = await run(server);
  expect(server.received).toHaveLength(before);
  expect(JSON.parse(again.stdout)).toMatchObject({ complete: true, accepted_jobs: 36, refused_jobs: 4 });
});

test.each([
  ['other ids', 'digest', /belongs to a run with other ids: 40 jobs, and the input has 40\./],
  ['another service', 'base_url', /belongs to a run against http:\/\/127\.0\.0\.1:1\. /],
  ['the sandbox', 'sandbox', /belongs to a run with --sandbox\. /],
])('a journal of %s is refused', async (_name, field, message) => {
  const server = await startServer();
  const text = await wholeJournal(server);
  const other = { digest: '"sha256:00"', base_url: '"http://127.0.0.1:1"', sandbox: 'true' }[field] ?? '';
  writeFileSync(journal(), text.replace(new RegExp(`("${field}":)("[^"]*"|false)`), `$1${other}`));
  const before = server.received.length;
  const outcome = await run(server);
  expect(outcome.exitCode).toBe(1);
  expect(JSON.parse(outcome.stdout)).toEqual({
    complete: false,
    stopped_by: expect.stringMatching(message),
  });
  expect(outcome.stderr).toMatch(message);
  expect(server.received).toHaveLength(before);
});

test('a damaged journal is refused, with its line', async () => {
  const server = await startServer();
  const text = await wholeJournal(server);
  writeFileSync(journal(), text.replace('"kind":"sent"', '"kind":"sant"'));
  expect(await run(server)).toMatchObject({
    exitCode: 1,
    stderr: `The journal ${journal()} is damaged at line 2. Restore it, or name another.\n`,
  });
});

test('a request without an answer keeps its key while the token is refused', async () => {
  let isForbidden = false;
  const server = await startServer({ beforeRequest: () => (isForbidden ? 'forbid' : undefined) });
  const inOne = ['--continue-on-error', '--json'];
  await run(server, inOne);
  const text = readFileSync(journal(), 'utf8');
  writeFileSync(journal(), text.slice(0, text.indexOf('{"kind":"accepted"')));
  isForbidden = true;
  const forbidden = await run(server, inOne);
  expect(forbidden.exitCode).toBe(1);
  expect(forbidden.stderr).toMatch(/^The service refused a request: .* \(403 token_invalid, /);
  isForbidden = false;
  expect(JSON.parse((await run(server, inOne)).stdout)).toMatchObject({
    complete: true,
    accepted_jobs: live.length,
    refused_jobs: missing.length,
  });
});

test('a request without an answer is not sent blindly after its key may have expired', async () => {
  const server = await startServer();
  const text = await wholeJournal(server);
  const untilSent = text.split('\n').slice(0, 2).join('\n');
  writeFileSync(journal(), `${untilSent}\n`);
  cli.setNow(Date.parse('2030-01-03T03:00:00Z'));
  const before = server.received.length;
  const refused = await run(server);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(
    /^1 request got no answer, the first one at 2030-01-02T03:04:05\.000Z with the key [0-9a-f-]{36}\. The server may have forgotten the key, so it was not sent again\. /,
  );
  expect(server.received).toHaveLength(before);
  expect((await run(server, [...options, '--key-retention', '90d'])).stderr).toBe('');
  writeFileSync(journal(), `${untilSent}\n`);
  expect((await run(server, [...options, '--resend-expired'])).stderr).toBe('');
});

test('a request without an answer that is now too large is split only with --resend-expired', async () => {
  const first = await startServer();
  const text = await wholeJournal(first);
  const server = await startServer({ maxJobs: 4 });
  writeFileSync(
    journal(),
    `${text.split('\n').slice(0, 2).join('\n')}\n`.replace(first.baseUrl, server.baseUrl),
  );
  const stopped = await run(server);
  expect(stopped.exitCode).toBe(1);
  expect(stopped.stderr).toContain('--resend-expired splits it.\nTo continue, run the same command again\n');
  const split = await run(server, [...options, '--resend-expired']);
  expect(JSON.parse(split.stdout)).toMatchObject({ complete: true, accepted_jobs: live.length });
});

test('a request without an answer is not sent again if its key may expire during the retries', async () => {
  const server = await startServer();
  const text = await wholeJournal(server);
  writeFileSync(journal(), `${text.split('\n').slice(0, 2).join('\n')}\n`);
  cli.setNow(Date.parse('2030-01-03T00:04:05Z'));
  const refused = await run(server, [...options, '--retry-for', '4h']);
  expect(refused.stderr).toMatch(/^1 request got no answer, /);
  expect((await run(server)).stderr).toBe('');
});

test('a journal that another process uses is refused', async () => {
  const server = await startServer();
  const { lockFile } = await import('@jobs-delete/runtime/sqlite/lock-data-folder');
  const unlock = lockFile(`${journal()}.lock`);
  if (unlock === 'locked') throw new Error('locked');
  expect((await run(server)).stderr).toMatch(/^Another process uses the journal /);
  unlock();
  expect((await run(server)).stderr).toBe('');
});
