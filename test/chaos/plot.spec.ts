import { expect, test } from '@jest/globals';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { trendOf } from './plot.ts';

const { fraction } = createSeededRandom(1);
/** A point each 5 s for an hour, with noise of a fifth. */
const series = (valueAt: (minute: number) => number) => ({
  name: 'memory',
  points: Array.from({ length: 720 }, (_, index) => ({
    minute: index / 12,
    value: valueAt(index / 12) * (0.9 + 0.2 * fraction()),
  })),
});

test.each<[string, boolean, (minute: number) => number]>([
  ['noise', false, () => 100],
  ['a warm-up', false, (minute) => (minute < 10 ? 10 * minute : 100)],
  ['a slow leak', true, (minute) => 100 + minute / 2],
  ['a decline', false, (minute) => 100 - minute / 2],
])('%s grows: %s', (_, isGrowing, valueAt) => {
  expect(trendOf(series(valueAt)).isGrowing).toBe(isGrowing);
});
