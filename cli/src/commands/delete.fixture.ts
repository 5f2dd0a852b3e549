import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import {
  startCountingServer,
  type CountingServer,
  type CountingServerOptions,
} from '../delete/counting-server.fixture.ts';
import type { CommandLine, Overrides } from '../program.fixture.ts';

/** The command `delete` with the credentials of a new server for each test. */
export function useDelete(cli: CommandLine) {
  const servers: CountingServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop();
  });
  return {
    startServer: async (options: CountingServerOptions = {}) => {
      const server = await startCountingServer(options);
      servers.push(server);
      const env = {
        JOBS_DELETE_BASE_URL: server.baseUrl,
        JOBS_DELETE_TOKEN: 'a-token',
        JOBS_DELETE_SECRET_KEY: 'a-key',
        JOBS_DELETE_ORIGIN: 'https://acme.example',
      };
      const run = (args: readonly string[], overrides: Overrides = {}) =>
        cli.runWith({ ...overrides, env: { ...env, ...overrides.env } }, 'delete', ...args);
      return { server, run };
    },
    /** Writes a file into the data folder. */
    file: (name: string, content: string): string => {
      const path = join(cli.dataDir(), name);
      writeFileSync(path, content);
      return path;
    },
  };
}

export function numberedIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `JOB${String(index + 1).padStart(4, '0')}`);
}

export function linesOf(jobIds: readonly string[]): string {
  return jobIds.map((id) => `${id}\n`).join('');
}
