import { test } from '@jest/globals';

/** Defines a test that not every machine can run. Lists it as not run where it can't, unless REQUIRE_SERVERS is 1. */
export function testIf(isPossible: boolean, name: string, run: () => Promise<void>): void {
  if (isPossible || process.env.REQUIRE_SERVERS === '1') test(name, run);
  else {
    process.stderr.write(`NOT RUN: ${name}\n`);
    test.skip(name, run);
  }
}
