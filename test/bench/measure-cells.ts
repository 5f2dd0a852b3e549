import type { Bench } from './bench.ts';
import { cellName, describeCell, parseCell, type Cell } from './cells.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { measureRaw, type RawFigures } from './raw/measure-raw.ts';
import { runCell, type RunFigures, type RunSettings } from './run-cell.ts';
import { peerNames } from './systems/peers.ts';
import type { System } from './systems/system.ts';

export interface CellFigures {
  readonly runs: readonly RunFigures[];
  readonly raw: readonly RawFigures[];
}

/** Starts all systems, then loads one at a time. Each round measures each system in each cell. */
export async function measureCells(bench: Bench, options: BenchOptions): Promise<CellFigures> {
  const systems = await startSystems(bench, options.systems);
  try {
    for (const system of systems) await warmUp(bench, system);
    const runs: RunFigures[] = [];
    const raw: RawFigures[] = [];
    for (let round = 0; round < options.rounds; round++) {
      if (options.raw) {
        progress(`round ${String(round + 1)}: raw limits`);
        const jobs = Math.min(100_000, options.mostJobs / 2);
        raw.push(
          await measureRaw(bench.servers, bench.settings, {
            topic: bench.rawTopic,
            logFolder: bench.logFolder,
            jobs,
          }),
        );
      }
      for (const cell of options.cells)
        for (const system of turned(systems, round)) runs.push(await runOnce(bench, system, cell, round));
    }
    return { runs, raw };
  } finally {
    await Promise.all(systems.map((system) => system.stop()));
  }
}

async function startSystems(bench: Bench, names: readonly string[]): Promise<System[]> {
  const systems: System[] = [];
  if (names.includes('jobs-delete')) systems.push(await bench.startOurs());
  for (const name of peerNames) if (names.includes(name)) systems.push(await bench.startPeer(name));
  return systems;
}

/** The parts of a bench that a run needs. */
interface Measured {
  readonly settings: RunSettings;
}

/**
 * Sends requests until code is compiled and connections are open. Stops after a number of requests, not after a time:
 * a busy machine needs longer.
 */
export async function warmUp({ settings }: Measured, system: System): Promise<void> {
  progress(`warming up ${system.name}`);
  const { seconds } = settings;
  await runUncounted(system, parseCell('1x64'), settings, { seconds: 5 * seconds, jobs: 8_000 });
  for (const cell of ['1000x16', '1000x16:xml'].map(parseCell))
    await runUncounted(system, cell, settings, { seconds, jobs: 40_000 });
}

async function runUncounted(
  system: System,
  cell: Cell,
  settings: RunSettings,
  most: { readonly seconds: number; readonly jobs: number },
): Promise<void> {
  const mostJobs = Math.min(settings.mostJobs, most.jobs);
  await runCell(system, cell, { ...settings, seconds: most.seconds, mostJobs });
}

/** Measures one run, after an unmeasured second of the same load: idle systems have cold code, and so has Kafka. */
export async function runOnce(
  { settings }: Measured,
  system: System,
  cell: Cell,
  round: number,
): Promise<RunFigures> {
  await runUncounted(system, cell, settings, { seconds: 1, jobs: 40_000 });
  const figures = await runCell(system, cell, settings);
  const { acceptedPerSecond, removedPerSecond, refusal } = figures;
  progress(
    `round ${String(round + 1)}: ${describeCell(cell)}: ${system.name}: ` +
      `${acceptedPerSecond.toFixed(0)} accepted/s, ${removedPerSecond.toFixed(0)} removed/s` +
      (refusal === undefined ? '' : `; REFUSED: ${refusal.slice(0, 500)}`),
  );
  return figures;
}

/** Rotates the systems by round, so each is first once. */
function turned(systems: readonly System[], round: number): System[] {
  return systems.map((_, index) => systems[(index + round) % systems.length] as System);
}

export function figuresOf(runs: readonly RunFigures[], system: string, cell: Cell): RunFigures[] {
  return runs.filter((run) => run.system === system && run.cell === cellName(cell));
}
