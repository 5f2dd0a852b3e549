import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * These take minutes. A new machine knows no times, and jest would start some of them near the end, when nothing is left for
 * the other worker.
 */
const slowest = [
  'command-line/delete-million',
  'simulation/simulation',
  'production/kill-campaign',
  'chaos/chaos',
  'production/outages',
  'production/hangs',
  'contract/mongo-store',
  'production/load',
].map((name) => join(import.meta.dirname, `${name}.spec.ts`));
const missing = slowest.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`test/slowest-first.js names no spec: ${missing.join(', ')}`);

export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => (slowest.includes(path) ? slowest.indexOf(path) : slowest.length);
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
