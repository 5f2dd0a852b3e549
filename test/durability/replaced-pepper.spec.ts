import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { refusedStart } from './refused-start.ts';
import { setScene } from './scene.ts';
import { attempt, type SentRequest } from './sent-requests.ts';

const newPath = temporaryFolder();

reapAfterEach();

test('two restarts replace the pepper, and the caller keeps its token and secret key', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const jobIds = [...(pools[0]?.jobIds ?? [])];
  const old = readFileSync(join(dataDir, 'credential-pepper'), 'utf8').trim();
  const CREDENTIAL_PEPPER = 'the new pepper of the test, 32+ characters';
  const statusWith = async (env: NodeJS.ProcessEnv) => {
    const serve = spawnServe(dataDir, { env });
    const next = jobIds.splice(0, 1);
    const request: SentRequest = { account, format: 'json', jobIds: next, key: undefined, attempts: [] };
    const answer = await attempt(request, await serve.ready);
    serve.kill('SIGTERM');
    await serve.exited;
    return answer?.status;
  };

  expect(await statusWith({})).toBe(200);
  const early = await refusedStart(dataDir, { env: { CREDENTIAL_PEPPER } });
  expect(early.reason).toContain('belong to another pepper');
  expect(await statusWith({ CREDENTIAL_PEPPER, CREDENTIAL_PEPPER_PREVIOUS: old })).toBe(200);
  expect(await statusWith({ CREDENTIAL_PEPPER })).toBe(200);
  const late = await refusedStart(dataDir);
  expect(late.reason).toContain('belong to another pepper');
});
