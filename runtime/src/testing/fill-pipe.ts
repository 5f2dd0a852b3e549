import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';

/**
 * Replaces the file by a named pipe. Every reader of it gets the text, so that a test fails instead of waiting for a writer.
 * @returns a function that ends the writer
 */
export function fillPipe(path: string, text: string): () => Promise<void> {
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  const script = 'while :; do printf %s "$0" > "$1"; done';
  const writer = spawn('sh', ['-c', script, text, path], { stdio: 'ignore' });
  const ended = once(writer, 'exit');
  return async () => {
    writer.kill();
    await ended;
  };
}
