import { rmSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';
import { newMemoryFolder } from '../dist/servers/memory-folder.js';

/** Gives a spec a temporary folder, in memory if possible. Most of a spec with a database is the wait for syncs of the disk. */
export default class MemoryEnvironment extends TestEnvironment {
  #folder;
  #before;

  constructor(...values) {
    const before = process.env.TMPDIR;
    const folder = newMemoryFolder('jobs-delete-test-', 1);
    // First: the sandbox copies the environment. `tmpdir()` reads that of the process.
    process.env.TMPDIR = folder;
    super(...values);
    this.#folder = folder;
    this.#before = before;
  }

  async teardown() {
    await super.teardown();
    if (this.#before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.#before;
    // A child process may still write.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
