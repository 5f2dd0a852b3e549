import { describeCell, parseCell } from '../cells.ts';
import type { Figures } from '../figures.ts';
import { peerNames } from '../systems/peers.ts';
import { median } from './statistics.ts';
import { medianOf, type RunNumber } from './summary.ts';

export interface Target {
  readonly name: string;
  readonly measured: number;
  readonly bound: number;
  readonly kind: 'at least' | 'at most';
  readonly unit: string;
  readonly pass: boolean;
}

/** The targets of what has been measured; what has not is left out. */
export function judge(figures: Figures): Target[] {
  return [
    ...peerTargets(figures),
    ...ownTargets(figures),
    ...embeddedTargets(figures),
    ...longTargets(figures),
  ].filter(({ measured }) => !Number.isNaN(measured));
}

const ours = 'jobs-delete';

function target(name: string, measured: number, kind: Target['kind'], bound: number, unit = '×'): Target {
  return {
    name,
    measured,
    bound,
    kind,
    unit,
    pass: kind === 'at least' ? measured >= bound : measured <= bound,
  };
}

function peerTargets({ runs }: Figures): Target[] {
  const best = (cell: string, field: RunNumber) => {
    const measured = peerNames.map((peer) => medianOf(runs, peer, parseCell(cell), field));
    const rates = measured.filter((rate) => !Number.isNaN(rate));
    return rates.length === 0 ? NaN : Math.max(...rates);
  };
  const against = (cell: string, field: RunNumber, bound: number) => {
    const what = field === 'acceptedPerSecond' ? 'accepted' : 'removed';
    const measured = medianOf(runs, ours, parseCell(cell), field) / best(cell, field);
    return target(
      `${describeCell(parseCell(cell))}: ${what}/s, to the best peer`,
      measured,
      'at least',
      bound,
    );
  };
  const one = parseCell('1x64');
  const first = medianOf(runs, ours, one, 'acceptedPerSecond');
  const obvious = first / medianOf(runs, 'grpc-kafka', one, 'acceptedPerSecond');
  const caller = parseCell('1x1');
  const p50 = medianOf(runs, ours, caller, 'p50Ms') / medianOf(runs, 'express', caller, 'p50Ms');
  return [
    against('1x64', 'acceptedPerSecond', 4),
    target(`${describeCell(one)}: accepted/s, to grpc-kafka`, obvious, 'at least', 12),
    against('1x64', 'removedPerSecond', 4),
    against('10x64', 'acceptedPerSecond', 3),
    against('10x64', 'removedPerSecond', 2.5),
    against('100x64', 'acceptedPerSecond', 2),
    against('100x64', 'removedPerSecond', 1.2),
    against('1000x16', 'acceptedPerSecond', 2),
    against('1000x16', 'removedPerSecond', 1),
    target(`${describeCell(caller)}: p50, to express`, p50, 'at most', 1.25),
  ];
}

function ownTargets({ runs, raw }: Figures): Target[] {
  const rawMedian = (name: string) => median(raw.map((round) => round[name] ?? NaN));
  const thousand = parseCell('1000x16');
  const removed = medianOf(runs, ours, thousand, 'removedPerSecond') / rawMedian('deleteMany by _id, jobs/s');
  const xml =
    medianOf(runs, ours, parseCell('1000x16:xml'), 'acceptedPerSecond') /
    medianOf(runs, ours, thousand, 'acceptedPerSecond');
  const hold = (reader: string) => rawMedian(`${reader} reader of the gateway, 10,000 ids, ms`);
  return [
    target('1,000 ids: removed/s, to raw deleteMany', removed, 'at least', 0.55),
    target('1,000 ids: accepted/s of XML, to JSON', xml, 'at least', 0.85),
    target('10,000 ids: reading JSON holds the event loop', hold('JSON'), 'at most', 20, ' ms'),
    target('10,000 ids: reading XML holds the event loop', hold('XML'), 'at most', 20, ' ms'),
    ...memoryTargets(runs),
  ];
}

/** One line for each process, with the cell in which it had most. */
function memoryTargets(runs: Figures['runs']): Target[] {
  const peaks = new Map<string, { mib: number; cell: string }>();
  for (const run of runs.filter(({ system }) => system === ours)) {
    for (const { name, peakMib } of run.processes.filter((of) => !notOurs.has(of.name)))
      if (peakMib > (peaks.get(name)?.mib ?? 0)) peaks.set(name, { mib: peakMib, cell: run.cell });
  }
  return [...peaks].map(([name, { mib, cell }]) =>
    target(`most memory of ${name}, in ${describeCell(parseCell(cell))}`, mib, 'at most', 256, ' MiB'),
  );
}

export const notOurs: ReadonlySet<string> = new Set(['load generator', 'mongod', 'Kafka']);

/** Of what is measured by itself. */
function longTargets({ growth, backlog }: Figures): Target[] {
  const [small, ...larger] = growth;
  const cells = [...new Set(small?.runs.map(({ cell }) => cell))].map(parseCell);
  const kept = larger.flatMap(({ jobs, runs }) =>
    cells.flatMap((cell) =>
      (['accepted', 'removed'] as const).map((what) => {
        const field = `${what}PerSecond` as const;
        const ratio = medianOf(runs, ours, cell, field) / medianOf(small?.runs ?? [], ours, cell, field);
        const name = `${describeCell(cell)}: ${what}/s with ${jobs.toLocaleString('en')} jobs, to ${String(small?.jobs.toLocaleString('en'))}`;
        return target(name, ratio, 'at least', 0.85);
      }),
    ),
  );
  const memory = (backlog?.peaks ?? []).flatMap(({ name, firstHalfMib, secondHalfMib }) => [
    target(`most memory of ${name}`, Math.max(firstHalfMib, secondHalfMib), 'at most', 256, ' MiB'),
    target(`memory of ${name}, second half to first`, secondHalfMib / firstHalfMib, 'at most', 1.15),
  ]);
  return [...kept, ...memory];
}

function embeddedTargets({ embedded }: Figures): Target[] {
  return [
    { cell: parseCell('1x64'), bound: 3 },
    { cell: parseCell('1000x16'), bound: 1.5 },
  ].map(({ cell, bound }) => {
    const rate = (system: string) => medianOf(embedded, system, cell, 'acceptedPerSecond');
    const measured = rate('jobs-delete serve') / rate('express-libsql');
    return target(
      `embedded, ${describeCell(cell)}: accepted/s, to express-libsql`,
      measured,
      'at least',
      bound,
    );
  });
}
