import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { exampleJobIds } from '@jobs-delete/gateway/http/documents/docs-page/examples';
import { type TestAccount } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/run-command.ts';
import { root } from './readme.ts';

const newPath = temporaryFolder();
const service = useService({ BASE_PATH: '/api' });
let account: TestAccount;
beforeAll(async () => {
  account = await service.operator.createAccount('shop');
  await service.operator.importJobs('shop', exampleJobIds);
});

describeWith('curl', 'the curl examples', () => runs((folder) => [['bash', `${folder}/delete-jobs.sh`]]));
describe('the JavaScript examples', () =>
  runs((folder) => [[process.execPath, `${folder}/delete-jobs.mjs`]]));
describeWith('python', 'the Python examples', (python) =>
  runs((folder) => [[python, `${folder}/delete-jobs.py`]]),
);
describeWith('php', 'the PHP examples', (php) => runs((folder) => [[php, `${folder}/delete-jobs.php`]]));
describeWith('mono', 'the C# examples', (mcs) =>
  runs((folder) => {
    const output = newPath('csharp');
    mkdirSync(output, { recursive: true });
    const program = join(output, 'DeleteJobs.exe');
    return [
      [mcs, '-r:System.Net.Http.dll', `-out:${program}`, `${folder}/DeleteJobs.cs`],
      ['mono', program],
    ];
  }),
);
describeWith('java', 'the Java examples', (java) => runs((folder) => [[java, `${folder}/DeleteJobs.java`]]));
describeWith('go', 'the Go examples', (go) => runs((folder) => [[go, 'run', `${folder}/delete-jobs.go`]]));

/** @param commandsOf returns the commands that run the example in a folder. Only the last one prints. */
function runs(commandsOf: (folder: string) => readonly (readonly string[])[]): void {
  const run = async (format: string, token: string) => {
    const env = {
      JOBS_DELETE_URL: service.baseUrl,
      JOBS_DELETE_TOKEN: token,
      JOBS_DELETE_SECRET_KEY: account.secretKey,
      JOBS_DELETE_ORIGIN: account.origin,
    };
    let printed = '';
    for (const [program = '', ...args] of commandsOf(join(root, 'gateway/examples', format)))
      printed = await runCommand(program, args, { env });
    return JSON.parse(printed) as unknown;
  };

  test.each(['json', 'xml'])('the example for %s prints the answer', async (format) => {
    expect(await run(format, account.token)).toEqual({
      status: 'The jobs are queued for processing.',
      processed_jobs: 2,
      results: exampleJobIds.map((id) => ({
        job_id: id,
        status: 'success',
        message: `Job ${id} is queued for processing.`,
      })),
    });
    for (const id of exampleJobIds)
      expect((await service.operator.store.findJob('shop', id))?.deletionId).toBeUndefined();
  });

  test.each(['json', 'xml'])('the example for %s prints a refusal', async (format) => {
    expect(await run(format, 'wrong')).toMatchObject({ status: 403, code: 'token_invalid' });
  });
}
