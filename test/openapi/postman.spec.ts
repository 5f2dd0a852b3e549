import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { reapAfterEach } from '../harness/spawn-serve.ts';
import { root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';
import { startDemoService } from './demo-service.ts';

const newPath = temporaryFolder();
reapAfterEach();

describeWith('openapi packages', 'the Postman collection', (packages) => {
  test('every request of the collection gets a 200 from a demo service', async () => {
    const values = Object.entries(await startDemoService(newPath('data')));
    const output = await runCommand(process.execPath, [
      join(packages, 'node_modules/newman/bin/newman.js'),
      ...['run', join(root, 'docs/jobs-delete.postman_collection.json')],
      ...values.flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ...['--reporters', 'cli', '--color', 'off'],
    ]);
    expect(output).toMatch(/assertions\s+│\s+[1-9]\d*\s+│\s+0\s/);
  });
});
