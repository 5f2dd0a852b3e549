import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** Creates a folder for one spec file. @returns a function that returns a new path in it */
export function temporaryFolder(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-'));
  let paths = 0;
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name = 'file.db') => join(folder, String(++paths), name);
}
