import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  startCountingServer,
  type CountingServer,
  type CountingServerOptions,
} from 'jobs-delete/delete/counting-server.fixture';
import { peakResidentMib } from '../production/create-role.ts';
import { spawnDelete, type DeleteProcess } from './run-delete.ts';
import { temporaryFiles } from './temporary-files.ts';

const newFile = temporaryFiles();
const caller = { token: 'a-token', secretKey: 'a-key', origin: 'https://acme.example' };
const jobCount = 1_000_000;
/** In MiB. A run needs less than 48. Node aborts a run that keeps 1,000,000 ids in memory. */
const smallHeap = ['--max-old-space-size=64'];
/** Limits the memory outside the heap too. The peak was between 166 and 278 MiB. */
const mostMib = 400;

const servers: CountingServer[] = [];
let child: DeleteProcess | undefined;
let peakMib = 0;
afterEach(async () => {
  process.stderr.write(`jobs-delete delete: peak of ${String(peakMib)} MiB\n`);
  child?.kill();
  await child?.exited;
  for (const server of servers.splice(0)) server.stop();
});

async function startServer(options: CountingServerOptions) {
  peakMib = 0;
  const server = await startCountingServer({
    ...options,
    beforeRequest: (request, index) => {
      const nowMib = peakResidentMib(child?.pid);
      // A killed process has no memory, but its last request may still arrive.
      if (!Number.isNaN(nowMib)) peakMib = Math.max(peakMib, nowMib);
      return options.beforeRequest?.(request, index);
    },
  });
  servers.push(server);
  return server;
}

const idAt = (index: number) => `Job${String(index).padStart(7, '0')}`;

const files = {
  txt: { head: '', one: (id: string) => id, between: '\n', foot: '\n' },
  json: { head: '{"jobs":{"job":[', one: (id: string) => `{"id":"${id}"}`, between: ',\n', foot: ']}}' },
  xml: { head: '<jobs>', one: (id: string) => `<job><id>${id}</id></job>`, between: '\n', foot: '</jobs>' },
};

function writeIds(format: keyof typeof files, count: number): string {
  const { head, one, between, foot } = files[format];
  const path = newFile(`ids.${format}`);
  const file = openSync(path, 'w');
  writeSync(file, head);
  for (let from = 0; from < count; from += 10_000) {
    const part = Array.from({ length: Math.min(10_000, count - from) }, (_, at) => one(idAt(from + at)));
    writeSync(file, (from === 0 ? '' : between) + part.join(between));
  }
  writeSync(file, foot);
  closeSync(file);
  return path;
}

test('1,000,000 ids are each deleted once, in flat memory, though the command is killed five times', async () => {
  /** The command is killed when the server has accepted this number of requests. */
  let killAt = Infinity;
  let whereToKill: 'before-request' | 'before-answer' = 'before-answer';
  const killIn = (where: typeof whereToKill) => {
    if (where !== whereToKill || server.byKey.size < killAt) return undefined;
    child?.kill();
    return 'drop';
  };
  const server = await startServer({
    beforeRequest: () => killIn('before-request'),
    // The request is accepted, but the command never learns it.
    beforeAnswer: () => killIn('before-answer'),
  });
  const ids = writeIds('txt', jobCount);
  const [journal, report] = [newFile('journal'), newFile('report.csv')];
  const args = [ids, '--journal', journal, '--report', report, '--json'];

  for (const accepted of [10, 25, 40, 60, 80]) {
    killAt = accepted;
    child = spawnDelete(server.baseUrl, caller, args, smallHeap);
    const { code } = await child.exited;
    expect({ accepted, code }).toEqual({ accepted, code: null });
    whereToKill = whereToKill === 'before-answer' ? 'before-request' : 'before-answer';
  }
  killAt = Infinity;
  child = spawnDelete(server.baseUrl, caller, args, smallHeap);
  const { code, stdout, stderr } = await child.exited;

  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    complete: true,
    job_count: jobCount,
    accepted_jobs: jobCount,
    refused_jobs: 0,
    open_jobs: 0,
    request_count: 100,
  });
  // The server accepts no id twice, and nothing was refused.
  expect(server.deleted.size).toBe(jobCount);
  expect(server.byKey.size).toBe(100);
  const rows = readFileSync(report, 'utf8').trimEnd().split('\n');
  expect(rows).toHaveLength(jobCount + 1);
  expect(new Set(rows).size).toBe(jobCount + 1);
  expect(rows.filter((row) => row.includes('refused'))).toEqual([]);
  expect(peakMib).toBeLessThan(mostMib);
});

describe('memory is flat', () => {
  test.each(['json', 'xml'] as const)('for a file of %s', async (format) => {
    const server = await startServer({});
    child = spawnDelete(
      server.baseUrl,
      caller,
      [writeIds(format, jobCount), '--sandbox', '--json'],
      smallHeap,
    );
    const { code, stdout } = await child.exited;
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, accepted_jobs: jobCount });
    expect(peakMib).toBeLessThan(mostMib);
  });

  test('when the server refuses every job', async () => {
    const server = await startServer({ exists: () => false });
    const args = [writeIds('txt', 50_000), '--continue-on-error', '--jobs-per-request', '1000', '--json'];
    child = spawnDelete(server.baseUrl, caller, args, smallHeap);
    const { code, stdout } = await child.exited;
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 1, refused_jobs: 50_000 });
    expect(peakMib).toBeLessThan(mostMib);
  });
});
