import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { readAftermath, waitUntilSettled } from '../durability/aftermath.ts';
import { setScene } from '../durability/scene.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { spawnDelete } from './run-delete.ts';
import { temporaryFiles } from './temporary-files.ts';

const newPath = temporaryFolder();
const newFile = temporaryFiles();
reapAfterEach();

test('the service deletes each job once, though the command is killed three times', async () => {
  const dataDir = newPath('data');
  const { pools } = await setScene(dataDir, { Acme: 20_000 });
  const [pool] = pools;
  if (pool === undefined) throw new Error('no account');
  const { account, jobIds } = pool;
  const baseUrl = await spawnServe(dataDir).ready;
  const ids = newFile('ids.txt');
  const journal = newFile('journal');
  writeFileSync(ids, jobIds.join('\n'));
  const args = [ids, '--journal', journal, '--jobs-per-request', '250', '--json'];
  const accepted = () =>
    existsSync(journal) ? readFileSync(journal, 'utf8').split('{"kind":"accepted"').length - 1 : 0;

  for (const after of [10, 35, 60]) {
    const killed = spawnDelete(baseUrl, account, args);
    await until(() => accepted() >= after);
    killed.kill();
    expect((await killed.exited).code).toBeNull();
  }
  const { code, stdout, stderr } = await spawnDelete(baseUrl, account, [...args, '--wait']).exited;
  // A slow run prints its progress.
  const others = stderr.replace(/^[\d,]+ of [\d,]+ jobs, .*\n/gm, '');
  expect({ code, others }).toEqual({ code: 0, others: '' });
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, accepted_jobs: jobIds.length, refused_jobs: 0 });

  await waitUntilSettled(dataDir);
  const { deletions, jobs } = await readAftermath(dataDir);
  expect(jobs).toEqual([]);
  expect(deletions.flatMap((deletion) => deletion.jobIds).sort()).toEqual([...jobIds].sort());
});
