import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';

/** Returns a function that returns the path of a new file, each in its own folder. */
export function temporaryFiles(): (name: string) => string {
  const newPath = temporaryFolder();
  return (name) => {
    const path = newPath(name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
}
