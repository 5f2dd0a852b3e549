import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { root } from '../readme/readme.ts';
import { runCommand } from '../servers/child-process.ts';

const newPath = temporaryFolder();

test('git ignores files with secrets', async () => {
  const cwd = newPath('repository');
  mkdirSync(cwd, { recursive: true });
  copyFileSync(join(root, '.gitignore'), join(cwd, '.gitignore'));
  await runCommand('git', ['init', '--quiet'], { cwd });
  const secrets = ['.env', '.env.production', 'gateway/.env', 'data/credential-pepper', 'data/demo.json'];
  const ignored = await runCommand('git', ['check-ignore', ...secrets, 'README.md'], { cwd });
  expect(ignored.trim().split('\n')).toEqual(secrets);
});
