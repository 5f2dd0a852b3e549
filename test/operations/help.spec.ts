import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { dashboardVariables } from '@jobs-delete/dashboard/config';
import { deleterVariables } from '@jobs-delete/deleter-service/config';
import { gatewayVariables } from '@jobs-delete/gateway/config';
import { root } from '../readme/readme.ts';

describe.each([
  ['gateway', gatewayVariables],
  ['deleter-service', deleterVariables],
  ['dashboard', dashboardVariables],
])('%s', (program, variables) => {
  const main = join(root, program, 'dist/main.js');
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
      env: {},
    });
    return { status, stdout, stderr };
  };

  test.each(['--help', '-h'])('prints its help for %s and does not start', (arg) => {
    const { status, stdout, stderr } = run(arg);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`Usage: node ${program}/dist/main.js\n`);
    const named = [...stdout.matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, name = '']) => name);
    expect(named).toEqual(Object.keys(variables));
  });

  test('refuses any other argument', () => {
    expect(run('--port=80')).toEqual({
      status: 2,
      stdout: '',
      stderr: "Unknown argument '--port=80'. The service takes none. See --help.\n",
    });
  });
});
