import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

/** A script that allocates like requests of many ids and prints the peak memory in MiB. */
const work = `
  const alive = Array.from({ length: 300_000 }, (_, index) => ({ text: 'alive ' + index }));
  let peak = 0;
  for (let turn = 0; turn < 1_500; turn++) {
    alive[turn % 60] = Array.from({ length: 3_000 }, (_, index) => ({ text: 'for a while ' + index }));
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  console.log(peak / 1_048_576);
`;

/** The young generation has the size of Node 20 in every release: a larger one would hide the old one. */
function peakOf(before: string): number {
  const args = ['--max-semi-space-size=16', '--input-type=module', '--eval', before + work];
  return Number(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' }));
}

test('a running service collects garbage early', () => {
  const serve =
    `import { runUntilSignal } from '@jobs-delete/runtime/process/run-service';` +
    `await runUntilSignal(() => Promise.resolve({ stop: () => Promise.resolve() }));`;
  expect(peakOf(serve)).toBeLessThan(0.85 * peakOf(''));
});
