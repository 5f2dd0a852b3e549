import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { setScene } from '../durability/scene.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { codeBlocks, root } from '../readme/readme.ts';

const newPath = temporaryFolder();

reapAfterEach();

const text = readFileSync(join(root, 'docs/internal-callers.md'), 'utf8');
const [list = '', deleteJobs = '', watch = '', listJobs = '', listDeletions = '', denied = ''] = codeBlocks(
  'sh',
  text,
);

/** Runs examples with grpcurl if installed. Replaces only the api's address and the job's account. */
function terminal(folder: string, port: number, env: NodeJS.ProcessEnv) {
  const own = spawnSync('grpcurl', ['-version']).status === 0;
  const standIn = `grpcurl() { '${process.execPath}' '${join(root, 'test/operations/grpcurl.js')}' "$@"; }`;
  return async (example: string) => {
    const script = example
      .replace('api:50051', `localhost:${String(port)}`)
      .replace('"acme"', '"Acme"')
      .replace('\\"acme\\"', '\\"Acme\\"')
      .replaceAll('NURSE', 'Acme000');
    const child = spawn(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', own ? script : `${standIn}\n${script}`],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env },
      },
    );
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...printed };
  };
}

test('the examples in docs/internal-callers.md work, over TLS with one certificate for both ends', async () => {
  const authority = createAuthority('the authority');
  const trusted = authority.certificate;
  const folder = newPath('caller');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ca.crt'), trusted);
  for (const name of ['gateway', 'search']) {
    const { certificate, key } = authority.issue([`${name}.jobs.svc`]);
    writeFileSync(join(folder, `${name}.crt`), certificate);
    writeFileSync(join(folder, `${name}.key`), key);
  }
  const { files } = mountSecret(newPath('serve'), { ...authority.issue(['localhost']), trusted });
  const TOKEN = 'token-of-the-reports-0123456789-0123456789';
  const dataDir = newPath('data');
  await setScene(dataDir, { Acme: 10 });
  const serve = spawnServe(dataDir, {
    env: {
      ...files,
      GRPC_SERVICE_TOKENS: `reports:${TOKEN}`,
      GRPC_CALLERS: 'localhost=delete,gateway.jobs.svc=delete,search.jobs.svc=read,reports=read',
    },
  });
  await serve.ready;
  const { grpc_port: port } = JSON.parse(serve.stdout()) as { grpc_port: number };
  const run = (example: string, env: NodeJS.ProcessEnv = {}) => terminal(folder, port, env)(example);

  const listed = await run(list);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toContain('jobs.deleter.v1.DeleterService');

  const first = await run(deleteJobs);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [, DELETION_ID = ''] = /"deletionId": ?"([^"]+)"/.exec(first.stdout) ?? [];
  expect(DELETION_ID).not.toBe('');
  const again = await run(deleteJobs);
  expect(again.stdout).toMatch(new RegExp(`"deletionId": ?"${DELETION_ID}"`));
  expect(again.stdout).toMatch(/"replayed": ?true/);

  const watched = await run(watch, { DELETION_ID });
  expect(watched).toMatchObject({ code: 0, stderr: '' });
  expect(watched.stdout).toContain('DELETION_STATE_COMPLETED');

  const jobs = await run(listJobs);
  expect(jobs).toMatchObject({ code: 0, stderr: '' });
  expect(jobs.stdout).toContain('Acme000003');

  const latest = await run(listDeletions, { TOKEN });
  expect(latest).toMatchObject({ code: 0, stderr: '' });
  expect(latest.stdout).toContain(DELETION_ID);

  const refused = await run(denied, { TOKEN });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/PermissionDenied|PERMISSION_DENIED/);
  expect(refused.stderr).toContain('reports may not call /jobs.deleter.v1.DeleterService/DeleteJobs.');
});
