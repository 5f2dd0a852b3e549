import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** A folder of the spec file's own. @returns a path in it that no call before has given */
export function temporaryFolder(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-'));
  let paths = 0;
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name = 'file.db') => join(folder, String(++paths), name);
}
