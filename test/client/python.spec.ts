import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { exampleJobIds, exampleVariables } from '@jobs-delete/gateway/http/documents/docs-page/examples';
import { startService, type TestAccount, type TestService } from '../harness/service.ts';
import { codeBlocks, readDocument, root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { pythonClient, pythonRequirements } from '../servers/packages.ts';
import { runCommand } from '../servers/child-process.ts';

const newPath = temporaryFolder();
// Files of Python stay out of the checkout, and requests out of a proxy.
const ownEnv = { PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };

/** Deletes the jobs of its arguments by both clients in both formats, and waits until they are removed. */
const program = `
import asyncio, json, os, sys
from jobs_delete import AcceptedJob, AsyncJobsDelete, JobsDelete

options = json.loads(os.environ["OPTIONS"])
job_ids = json.loads(sys.argv[1])

async def delete(format, ids):
    async with AsyncJobsDelete(**options, format=format, max_jobs_per_request=2) as client:
        outcomes = [outcome async for outcome in client.outcomes([*ids, "a b"], on_refusal="split")]
        accepted = [outcome for outcome in outcomes if isinstance(outcome, AcceptedJob)]
        for deletion_id in {outcome.deletion_id for outcome in accepted}:
            await client.wait_until_removed(deletion_id)
        return len(accepted)

def delete_in_threads(format, ids):
    with JobsDelete(**options, format=format, max_jobs_per_request=2) as client:
        checked = client.delete_jobs(ids, sandbox=True)
        report = client.delete_jobs([*ids, "a b"], on_refusal="split")
        for deletion in report.deletions:
            client.wait_until_removed(deletion.deletion_id)
        states = {client.status(deletion.deletion_id).state for deletion in report.deletions}
        return [checked.accepted_jobs, report.accepted_jobs, *states]

print(json.dumps([
    asyncio.run(delete("json", job_ids[0::4])),
    asyncio.run(delete("xml", job_ids[1::4])),
    delete_in_threads("json", job_ids[2::4]),
    delete_in_threads("xml", job_ids[3::4]),
]))
`;

describeWith('python packages', 'the Python client, installed into an empty environment', (packages) => {
  let python: string;
  beforeAll(async () => {
    const environment = newPath('environment');
    await runCommand('python3', ['-m', 'venv', '--without-pip', environment]);
    python = join(environment, 'bin/python');
    const pip = ['-m', 'pip', '--python', python, 'install', '--quiet', '--disable-pip-version-check'];
    const offline = [...pip, '--root-user-action', 'ignore', '--no-index', '--find-links', packages];
    await runCommand('python3', [...offline, '--require-hashes', '--requirement', pythonRequirements]);
    await runCommand('python3', [...offline, pythonClient]);
  });

  test('passes the table of scripted servers', async () => {
    const table = JSON.parse(readFileSync(join(root, 'client/conformance/cases.json'), 'utf8')) as {
      readonly clients?: readonly string[];
    }[];
    const cases = table.filter(({ clients = ['python'] }) => clients.includes('python'));
    const output = await runCommand(python, ['-m', 'pytest', '--quiet'], { cwd: pythonClient, env: ownEnv });
    const passed = Number(/(\d+) passed/.exec(output)?.[1]);
    // Each case runs with both clients.
    expect(passed).toBeGreaterThanOrEqual(2 * cases.length);
  });

  test('has strict types', async () => {
    const output = await runCommand(python, ['-m', 'mypy', '--cache-dir', devNull], {
      cwd: pythonClient,
      env: ownEnv,
    });
    expect(output).toMatch(/^Success: no issues found/);
  });

  let service: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await startService();
    account = await service.operator.createAccount('snakes');
    // Before the first request: the gateway keeps what it has read for 5 s.
    await service.operator.accounts.allowDomain('snakes', exampleVariables.JOBS_DELETE_ORIGIN);
  });
  afterAll(() => service.stop());

  test('the example of its README deletes two jobs', async () => {
    await service.operator.importJobs('snakes', ['NURSE001', 'NURSE002']);
    const [example = ''] = codeBlocks('python', readDocument('client/python/README.md'));
    const text = example
      .replace('http://localhost:8080', service.baseUrl)
      .replace('https://example.com', account.origin);
    const env = { ...ownEnv, JOBS_DELETE_TOKEN: account.token, JOBS_DELETE_SECRET_KEY: account.secretKey };
    expect(await runCommand(python, ['-c', text], { env })).toBe('2 []\n');
  });

  test('the example of the README of the service deletes two jobs', async () => {
    await service.operator.importJobs('snakes', ['DEMO0032', 'DEMO0033']);
    const data = newPath('data');
    await mkdir(data, { recursive: true });
    const { token, secretKey: secret_key, origin } = account;
    writeFileSync(
      join(data, 'demo.json'),
      JSON.stringify({ base_url: service.baseUrl, token, secret_key, origin }),
    );
    const [example = ''] = codeBlocks('python', readDocument('README.md'));
    expect(await runCommand(python, ['-c', example], { cwd: dirname(data), env: ownEnv })).toBe('2\n');
  });

  test('the example of the documentation page checks two jobs', async () => {
    await service.operator.importJobs('snakes', exampleJobIds);
    const cwd = newPath('cwd');
    await mkdir(cwd, { recursive: true });
    const env = {
      ...ownEnv,
      JOBS_DELETE_URL: service.baseUrl,
      JOBS_DELETE_TOKEN: account.token,
      JOBS_DELETE_SECRET_KEY: account.secretKey,
    };
    const example = join(root, 'gateway/examples/clients/delete_all.py');
    expect(await runCommand(python, [example], { cwd, env })).toBe('2 []\n');
  });

  test('deletes jobs of the real service in both formats', async () => {
    const jobIds = Array.from({ length: 20 }, (_, index) => `Snake${String(index)}`);
    await service.operator.importJobs('snakes', jobIds);
    const { token, secretKey: secret_key, origin } = account;
    const options = { base_url: service.baseUrl, token, secret_key, origin, user_agent: 'shop/1.0' };
    const folder = newPath('program');
    await mkdir(folder, { recursive: true });
    writeFileSync(join(folder, 'program.py'), program);
    const output = await runCommand(python, [join(folder, 'program.py'), JSON.stringify(jobIds)], {
      env: { ...ownEnv, OPTIONS: JSON.stringify(options) },
    });
    expect(JSON.parse(output)).toEqual([5, 5, [5, 5, 'completed'], [5, 5, 'completed']]);
  });
});
