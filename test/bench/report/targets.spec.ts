import { expect, test } from '@jest/globals';
import { cellName, parseCell } from '../cells.ts';
import { jobIds } from '../load/orders.ts';
import type { RunFigures } from '../run-cell.ts';
import { median, spread } from './statistics.ts';
import { judge } from './targets.ts';

const figures = { runs: [], raw: [], embedded: [] };

function run(system: string, cell: string, perSecond: number): RunFigures {
  return {
    system,
    cell,
    jobs: 1,
    requests: 1,
    acceptedPerSecond: perSecond,
    removedPerSecond: perSecond,
    p50Ms: 1,
    p99Ms: 1,
    retries: 0,
    refusal: undefined,
    processes: [],
  };
}

test('figures that were not measured have no target', () => {
  expect(judge(figures)).toEqual([]);
});

test('a target compares the medians with the best peer', () => {
  const runs = [
    ...[90, 100, 500].map((rate) => run('jobs-delete', '10x64', rate)),
    run('express', '10x64', 20),
    run('feathers', '10x64', 40),
  ];
  const ratios = judge({ ...figures, runs }).map(({ measured, bound, pass }) => ({ measured, bound, pass }));
  expect(ratios).toEqual([
    { measured: 2.5, bound: 3, pass: false },
    { measured: 2.5, bound: 2.5, pass: true },
  ]);
});

test('a target may name its peer', () => {
  const runs = [
    run('jobs-delete', '1000x16', 90),
    run('grpc-kafka', '1000x16', 100),
    run('express', '1000x16', 200),
  ];
  const ratios = judge({ ...figures, runs }).map(({ name, measured }) => [name, measured]);
  expect(ratios).toEqual([['1,000 ids, 16 in flight: removed/s, to grpc-kafka', 0.9]]);
});

test('the spread is relative to the median', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(spread([1, 2, 3])).toBe(1);
});

test('parsing the name of a cell returns the cell', () => {
  for (const name of ['1x64', '1000x16:xml']) expect(cellName(parseCell(name))).toBe(name);
  expect(() => parseCell('10')).toThrow('not a cell: 10');
});

test('each number has a different id', () => {
  const ids = [...jobIds(0, 50_000), ...jobIds(500_000_000, 50_000)];
  expect(new Set(ids).size).toBe(100_000);
  expect(ids.every((id) => /^[A-Z0-9]{10}$/.test(id))).toBe(true);
});
