import { expect, test } from '@jest/globals';
import type { Target } from '../production/targets.ts';
import { drawPlan, kinds } from './faults.ts';
import type { Site } from './site.ts';

test('of two faults on one process, a plan has the first', () => {
  // Casts: a plan that does not begin needs the names only.
  const site = {
    cluster: { replicas: [{ name: 'api 1' }] },
    wires: [{ from: 'relay', to: 'kafka' }],
    mongo: { members: [{}] },
    kafka: {},
  } as unknown as Site;
  const targets = [{ name: 'api 1' } as Target];
  for (let seed = 0; seed < 200; seed++) {
    const { faults } = drawPlan(seed, site, targets);
    expect(faults[0]?.kind).toBe(kinds[seed % kinds.length]);
    expect(new Set(faults.map(({ on }) => on)).size).toBe(faults.length);
  }
});
