import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountingServerOptions } from '../delete/counting-server.fixture.ts';
import type { CommandLine } from '../program.fixture.ts';
import { linesOf, numberedIds, useDelete } from './delete.fixture.ts';

export const own = numberedIds(10);
export const csvOf = (jobIds: readonly string[]) => `id\n${linesOf(jobIds)}`;

/** The command `sync` with an account of ten jobs, its profile and a feed, new for each test. */
export function useSync(cli: CommandLine) {
  const { startServer, file } = useDelete(cli);
  return async (options: CountingServerOptions = {}) => {
    const jobs = [...own];
    const { server } = await startServer({ ownJobs: () => jobs, ...options });
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
