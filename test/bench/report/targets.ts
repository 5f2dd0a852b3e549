import { describeCell, parseCell } from '../cells.ts';
import type { RawFigures } from '../raw/measure-raw.ts';
import type { RunFigures } from '../run-cell.ts';
import { peerNames } from '../systems.ts';
import { median, medianOf, type RunNumber } from './statistics.ts';

/** The results of the main run. */
export interface Figures {
  readonly runs: readonly RunFigures[];
  readonly raw: readonly RawFigures[];
  readonly embedded: readonly RunFigures[];
}

export interface Target {
  readonly name: string;
  readonly measured: number;
  readonly bound: number;
  readonly kind: 'at least' | 'at most';
  readonly unit: string;
  readonly pass: boolean;
}

/** Returns the targets of all measured figures. */
export function judge(figures: Figures): Target[] {
  return [...peerTargets(figures), ...ownTargets(figures), ...embeddedTargets(figures)].filter(
    ({ measured }) => !Number.isNaN(measured),
  );
}

const ours = 'jobs-delete';
const bestPeer = 'the best peer';

export function target(
  name: string,
  measured: number,
  kind: Target['kind'],
  bound: number,
  unit = '×',
): Target {
  const pass = kind === 'at least' ? measured >= bound : measured <= bound;
  return { name, measured, bound, kind, unit, pass };
}

function peerTargets({ runs }: Figures): Target[] {
  const rate = (peer: string, cell: string, field: RunNumber) => medianOf(runs, peer, parseCell(cell), field);
  const best = (cell: string, field: RunNumber) => {
    const rates = peerNames.map((peer) => rate(peer, cell, field)).filter((found) => !Number.isNaN(found));
    return rates.length === 0 ? NaN : Math.max(...rates);
  };
  const against = (peer: string, cell: string, field: RunNumber, bound: number) => {
    const what = field === 'acceptedPerSecond' ? 'accepted' : 'removed';
    const theirs = peer === bestPeer ? best(cell, field) : rate(peer, cell, field);
    const name = `${describeCell(parseCell(cell))}: ${what}/s, to ${peer}`;
    return target(name, rate(ours, cell, field) / theirs, 'at least', bound);
  };
  const caller = parseCell('1x1');
  const p50 = rate(ours, '1x1', 'p50Ms') / rate('express', '1x1', 'p50Ms');
  return [
    against(bestPeer, '1x64', 'acceptedPerSecond', 4),
    against(bestPeer, '1x64', 'removedPerSecond', 4),
    against(bestPeer, '10x64', 'acceptedPerSecond', 3),
    against(bestPeer, '10x64', 'removedPerSecond', 2.5),
    against(bestPeer, '100x64', 'removedPerSecond', 1.2),
    against('grpc-kafka', '1000x16', 'removedPerSecond', 1.1),
    target(`${describeCell(caller)}: p50, to express`, p50, 'at most', 1.25),
  ];
}

function ownTargets({ runs, raw }: Figures): Target[] {
  const rawMedian = (name: string) => median(raw.map((round) => round[name] ?? NaN));
  const thousand = parseCell('1000x16');
  const xml =
    medianOf(runs, ours, parseCell('1000x16:xml'), 'acceptedPerSecond') /
    medianOf(runs, ours, thousand, 'acceptedPerSecond');
  const hold = (reader: string) => rawMedian(`${reader} reader of the gateway, 10,000 ids, ms`);
  return [
    target('1,000 ids: accepted/s of XML, to JSON', xml, 'at least', 0.85),
    target('10,000 ids: reading JSON holds the event loop', hold('JSON'), 'at most', 20, ' ms'),
    target('10,000 ids: reading XML holds the event loop', hold('XML'), 'at most', 20, ' ms'),
    ...memoryTargets(runs),
  ];
}

/** Returns one target per process, with the cell of its highest peak. */
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

const notOurs: ReadonlySet<string> = new Set(['load generator', 'mongod', 'Kafka']);

function embeddedTargets({ embedded }: Figures): Target[] {
  const cell = parseCell('1000x16');
  const rate = (system: string) => medianOf(embedded, system, cell, 'acceptedPerSecond');
  const name = `embedded, ${describeCell(cell)}: accepted/s, to express-libsql`;
  return [target(name, rate('jobs-delete serve') / rate('express-libsql'), 'at least', 1.5)];
}
