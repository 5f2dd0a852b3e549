import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { codeBlocks, root } from '../readme/readme.ts';
import { adminOf } from './admin-of.ts';
import { dashboardQueries, metricsAskedFor } from './monitoring.ts';

const newPath = temporaryFolder();

reapAfterEach();

/** With all that there is to be measured. */
function startWithCertificate(): ServeProcess {
  const authority = createAuthority('tests');
  const secret = { ...authority.issue(['localhost']), trusted: authority.certificate };
  const { files } = mountSecret(newPath('certificates'), secret);
  return spawnServe(newPath('data'), { env: { ...files, GRPC_CALLERS: 'localhost=delete' } });
}

test('every metric that the alert rules and the dashboard ask for is one of a running service', async () => {
  const admin = await adminOf(startWithCertificate());
  const { text } = await admin.get('/metrics');
  const existing = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  expect([...metricsAskedFor].filter((name) => !existing.has(name))).toEqual([]);
  expect(metricsAskedFor.size).toBeGreaterThan(20);
});

test('the dashboard shows all that is measured of our own', async () => {
  const admin = await adminOf(startWithCertificate());
  const { text } = await admin.get('/metrics');
  const own = [...text.matchAll(/^# TYPE (\S+) /gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:nodejs|process)_/.test(name));
  expect(own.filter((name) => !dashboardQueries.some((query) => query.includes(name)))).toEqual([]);
});

describe('the runbooks', () => {
  const folder = join(root, 'docs/runbooks');
  const runbooks = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
  );

  test.each(runbooks)('%s tells what it means, how to check and what to do', (_name, text) => {
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'What it means',
      'How to check',
      'What to do',
    ]);
    expect(codeBlocks('sh', text).length).toBeGreaterThan(0);
    const linked = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
    const names = runbooks.map(([name]) => name);
    expect(linked.filter((name) => name === undefined || !names.includes(name))).toEqual([]);
  });

  test('use commands of jobs-delete that there are, with options that they have', async () => {
    const used = new Map<string, Set<string>>();
    for (const [, text] of runbooks) {
      for (const [line, command = ''] of codeBlocks('sh', text).join('\n').matchAll(commandPattern)) {
        const options = used.get(command) ?? new Set();
        used.set(command, options);
        for (const [option] of line.matchAll(/--[a-z-]+/g)) options.add(option);
      }
    }
    expect(used.size).toBeGreaterThan(5);
    for (const [command, options] of used) {
      const { stdout } = await runJobsDelete([...command.split(' '), '--help'], {});
      expect(stdout).toContain(`Usage: jobs-delete ${command} `);
      expect([...options].filter((option) => !stdout.includes(option))).toEqual([]);
    }
  });
});

/** Such as `jobs-delete deletions list --state accepted`; not the namespace of that name. */
const commandPattern = /(?<!-n )\bjobs-delete ([a-z]+(?:-[a-z]+)* [a-z]+)\b[^|\n]*/g;
