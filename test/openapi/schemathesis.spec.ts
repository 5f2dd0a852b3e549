import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accept } from '@jobs-delete/deleter-service/testing/deletions';
import type { JsonObject } from '@jobs-delete/gateway/http/openapi/schemas';
import { startService, type TestService } from '../harness/service.ts';
import { createClient, newJobIds, type Client } from '../http/client.ts';
import { readDocument, root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';
import { operationsOf } from './document.ts';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({
    // Small, so that generated lists reach it.
    MAX_JOBS_PER_REQUEST: '20',
    // The answers have RateLimit headers, and no request is refused.
    RATE_LIMIT_REQUESTS: '1000000',
    RATE_LIMIT_JOBS: '1000000',
  });
  client = await createClient(service, 'generated');
});
afterAll(() => service.stop());

describeWith('schemathesis', 'Schemathesis', (packages) => {
  test('no generated request contradicts the document, and every operation succeeds', async () => {
    const statusesFile = join(service.dataDir, 'statuses.json');
    const output = await runCommand(
      'python3',
      [
        ...['-m', 'schemathesis.cli', '--config-file', 'test/openapi/schemathesis.toml'],
        ...['run', `${service.baseUrl}/openapi.json`],
        // Other seeds find other requests: TEST_SEED=2 npm run test:all -- test/openapi.
        ...['--seed', process.env.TEST_SEED ?? '1'],
      ],
      {
        cwd: root,
        env: { ...(await environment()), PYTHONPATH: packages, STATUSES: statusesFile },
        // A machine under load is slow. Jest stops a test that hangs.
        timeoutMs: 900_000,
      },
    );
    expect(output).toContain('No issues found');

    const statuses = JSON.parse(readFileSync(statusesFile, 'utf8')) as Record<string, number[]>;
    const document = JSON.parse(readDocument('docs/openapi.json')) as JsonObject;
    const labels = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    const succeeded = Object.keys(statuses).filter((label) => statuses[label]?.includes(200));
    expect(succeeded.sort()).toEqual(labels.sort());
  });
});

/** Returns the variables of schemathesis.toml and schemathesis_hooks.py, with jobs and deletions of the account. */
async function environment(): Promise<Record<string, string>> {
  const jobIds = newJobIds(50_000);
  const jobsFile = join(service.dataDir, 'job-ids.json');
  writeFileSync(jobsFile, JSON.stringify(jobIds));
  await service.operator.importJobs(client.account.accountId, jobIds);
  const deleted = await client.call({ jobIds: await client.newJobs(1) });
  const removalAtMs = Date.now() + 86_400_000;
  const waiting = await accept(service.operator.store, await client.newJobs(1), {
    accountId: client.account.accountId,
    deletionId: randomUUID(),
    acceptedAtMs: Date.now(),
    dueAtMs: removalAtMs,
    removalAtMs,
  });
  const { token, secretKey, origin } = client.account;
  return {
    TOKEN: token,
    SECRET_KEY: secretKey,
    ORIGIN: origin,
    JOB_IDS: jobsFile,
    DELETION_ID: String(deleted.headers['deletion-id']),
    WAITING_DELETION_ID: waiting.id,
    NO_COLOR: '1',
  };
}
