import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type TestService } from '../harness/service.ts';
import { root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';

const client = pathToFileURL(join(root, 'client/dist/index.js')).href;

/** Deletes the jobs of its arguments in both formats, and waits until they are removed. */
const program = `
import { JobsDeleteClient } from '${client}';
const [options, ...jobIds] = JSON.parse(await readInput());
const counts = [];
for (const [index, format] of ['json', 'xml'].entries()) {
  const client = new JobsDeleteClient({ ...options, format, maxJobsPerRequest: 2 });
  const ids = jobIds.filter((_, position) => position % 2 === index);
  const { acceptedJobs, deletions } = await client.deleteJobs([...ids, 'a b'], { onRefusal: 'split' });
  for (const { deletionId } of deletions) await client.waitUntilRemoved(deletionId);
  counts.push(acceptedJobs);
}
console.log(JSON.stringify(counts));

async function readInput() {
  const { readFile } = await import('node:fs/promises');
  return readFile(new URL('input.json', import.meta.url), 'utf8');
}
`;

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'jobs-delete-client-'));
  writeFileSync(join(folder, 'program.mjs'), program);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

async function deleteTenJobs(accountId: string, run: (script: string) => Promise<string>): Promise<void> {
  const { token, secretKey, origin } = await service.operator.createAccount(accountId);
  const jobIds = Array.from({ length: 10 }, (_, index) => `${accountId}${String(index)}`);
  await service.operator.importJobs(accountId, jobIds);
  const { baseUrl } = service;
  const options = { baseUrl, token, secretKey, origin, userAgent: 'shop/1.0' };
  writeFileSync(join(folder, 'input.json'), JSON.stringify([options, ...jobIds]));
  expect(await run(join(folder, 'program.mjs'))).toBe('[5,5]\n');
}

describeWith('deno', 'the TypeScript client on Deno', (deno) => {
  test('deletes jobs with access to nothing but the network and its own files', () =>
    deleteTenJobs('deno', (script) =>
      runCommand(deno, ['run', '--no-remote', '--allow-net=127.0.0.1', `--allow-read=${folder}`, script]),
    ));
});

describeWith('bun', 'the TypeScript client on Bun', (bun) => {
  test('deletes jobs', () => deleteTenJobs('bun', (script) => runCommand(bun, [script])));
});
