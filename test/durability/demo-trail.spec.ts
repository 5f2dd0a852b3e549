import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openOperator } from '../harness/service.ts';
import { reapChildren } from '../harness/spawn-child.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';

const newPath = temporaryFolder();

reapAfterEach();

test('the trail of the demo account has its keys and domains, which the operator made', async () => {
  const dataDir = newPath('data');
  const baseUrl = await spawnServe(dataDir, { args: ['--demo'] }).ready;
  await reapChildren();
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<string, string>;
  const subjectOf = (key = '') => `${key.split('_')[1] ?? ''} (demo)`;
  const domains = [demo.origin, baseUrl, baseUrl.replace('127.0.0.1', 'localhost')];
  const { accounts, close } = openOperator(dataDir);
  const entries = await accounts.listActions({ accountId: 'demo', pageSize: 100 });
  await close();
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).toSorted()).toEqual(
    [
      ['operator', 'token.created', subjectOf(demo.token)],
      ['operator', 'secret-key.created', subjectOf(demo.secret_key)],
      ...domains.map((domain) => ['operator', 'domain.allowed', domain]),
    ].toSorted(),
  );
});
