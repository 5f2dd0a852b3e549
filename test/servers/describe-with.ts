import { describe, test } from '@jest/globals';
import type { Need, Servers } from './acquire-servers.ts';

/**
 * Describes a suite that needs a server or program. Without it, the suite is skipped, or fails if REQUIRE_SERVERS is 1.
 * Both names must be literals: the list of suites that are not run is read from the source.
 */
export function describeWith(need: Need, name: string, suite: (url: string) => void): void {
  const servers = JSON.parse(process.env.TEST_SERVERS ?? '{}') as Servers;
  const server = servers[need] ?? { missing: 'no server was acquired for this run', isOptional: false };
  if ('url' in server) describe(name, () => suite(server.url));
  else if (process.env.REQUIRE_SERVERS === '1' && !server.isOptional) {
    test(`${name}: ${need} is required`, () => {
      throw new Error(server.missing);
    });
  } else describe.skip(name, () => suite(unreachableUrl));
}

/** For skipped suites: their tests are only counted. */
const unreachableUrl = 'mongodb://127.0.0.1:1/';
