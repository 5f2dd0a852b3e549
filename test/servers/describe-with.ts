import { describe, test } from '@jest/globals';
import type { Need, Servers } from './acquire-servers.ts';

/**
 * A suite that needs a server. Without one it is skipped, and counted as such; where REQUIRE_SERVERS is set, it
 * fails and says why, unless a run may do without. Both arguments are to be literals: the warning that names what is not run looks for them.
 */
export function describeWith(need: Need, name: string, suite: (url: string) => void): void {
  const servers = JSON.parse(process.env.TEST_SERVERS ?? '{}') as Partial<Servers>;
  const server = servers[need] ?? { missing: 'no server was acquired for this run', isOptional: false };
  if ('url' in server) describe(name, () => suite(server.url));
  else if (process.env.REQUIRE_SERVERS === '1' && !server.isOptional) {
    test(`${name}: ${need} is required`, () => {
      throw new Error(server.missing);
    });
  } else describe.skip(name, () => suite(unreachableUrl));
}

/** For suites that are only counted: none of their hooks and tests runs. */
const unreachableUrl = 'mongodb://127.0.0.1:1/';
