import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import {
  startCountingServer,
  type CountingServer,
  type CountingServerOptions,
} from '../delete/counting-server.fixture.ts';
import type { CommandLine } from '../program.fixture.ts';
import { linesOf, numberedIds } from './delete.fixture.ts';

export const own = numberedIds(10);
export const csvOf = (jobIds: readonly string[]) => `id\n${linesOf(jobIds)}`;

/** The command `sync` with an account of ten jobs, its profile and a feed, new for each test. */
export function useSync(cli: CommandLine) {
  const servers: CountingServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop();
  });
  return async (options: CountingServerOptions = {}) => {
    const jobs = [...own];
    const server = await startCountingServer({ ownJobs: () => jobs, ...options });
    servers.push(server);
    const profile = join(cli.dataDir(), 'acme.json');
    const state = `${profile}.sync`;
    const planPath = join(state, 'plan.json');
    const writeProfile = (more: Readonly<Record<string, string>> = {}) =>
      writeFileSync(
        profile,
        JSON.stringify({
          account_id: 'acme',
          base_url: server.baseUrl,
          token: 'a-token',
          secret_key: 'a-key',
          origin: 'https://acme.example',
          ...more,
        }),
        { mode: 0o600 },
      );
    writeProfile();
    const run = (...args: readonly string[]) => cli.run('sync', ...args, '--profile', profile);
    const file = (name: string, content: string) => {
      const path = join(cli.dataDir(), name);
      writeFileSync(path, content);
      return path;
    };
    return {
      server,
      jobs,
      run,
      file,
      writeProfile,
      state,
      planPath,
      plan: (jobIds: readonly string[], ...args: readonly string[]) =>
        run(file('feed.csv', csvOf(jobIds)), ...args),
      apply: (...args: readonly string[]) => run('--apply', ...args),
      readPlan: () => JSON.parse(readFileSync(planPath, 'utf8')) as Readonly<Record<string, unknown>>,
    };
  };
}
