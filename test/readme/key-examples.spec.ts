import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { examplesOf, placeholders, type Example } from '@jobs-delete/dashboard/keys/key-examples';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { type TestAccount } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';

const newPath = temporaryFolder();
const service = useService({ BASE_PATH: '/api' });
let account: TestAccount;
beforeAll(async () => {
  account = await service.operator.createAccount('shop');
  await service.operator.importJobs('shop', [placeholders.job]);
});

describe('the examples beside new keys', () => {
  describeWith('curl', 'for curl', () => runs('curl', (file) => [['bash', file]]));
  describe('for JavaScript', () => runs('javascript', (file) => [[process.execPath, file]]));
  describeWith('python', 'for Python', (python) => runs('python', (file) => [[python, file]]));
  describeWith('php', 'for PHP', (php) => runs('php', (file) => [[php, file]]));
  describeWith('mono', 'for C#', (mcs) =>
    runs('csharp', (file) => [
      [mcs, '-r:System.Net.Http.dll', `-out:${file}.exe`, file],
      ['mono', `${file}.exe`],
    ]),
  );
  describeWith('java', 'for Java', (java) => runs('java', (file) => [[java, file]]));
  describeWith('go', 'for Go', (go) => runs('go', (file) => [[go, 'run', file]]));
});

/** @param commandsOf returns the commands that run a file. Only the last one prints. */
function runs(id: string, commandsOf: (file: string) => readonly (readonly string[])[]): void {
  test('print the answer of the sandbox', async () => {
    const { token, secretKey, origin } = account;
    const example = examplesOf({
      secrets: { token, 'secret-key': secretKey },
      apiUrl: service.baseUrl,
      origin,
      language: 'en',
    }).find((each) => each.id === id);
    const printed = await run(example, commandsOf);
    expect(JSON.parse(printed)).toMatchObject({ processed_jobs: 1, results: [{ status: 'success' }] });
    expect((await service.operator.store.findJob('shop', placeholders.job))?.deletionId).toBeUndefined();
  });
}

async function run(
  example: Example | undefined,
  commandsOf: (file: string) => readonly (readonly string[])[],
): Promise<string> {
  const folder = newPath('example');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, example?.file ?? 'delete-jobs.sh');
  writeFileSync(file, example?.text ?? '');
  let printed = '';
  for (const [program = '', ...args] of commandsOf(file)) printed = await runCommand(program, args);
  return printed;
}
