import type { Bench, BenchOptions } from './bench.ts';
import { embeddedCells, measureEmbedded } from './measure-embedded.ts';
import { progress } from './progress.ts';
import { measureRaw, type RawFigures } from './raw/measure-raw.ts';
import { drawChart } from './report/chart.ts';
import { median } from './report/statistics.ts';
import { runTables, section, table, whole, type Report } from './report/report.ts';
import { judge } from './report/targets.ts';
import { runOnce, warmUp, type RunFigures } from './run-cell.ts';
import { peerNames, type System } from './systems.ts';

/** Starts all systems, then loads one at a time. Each round measures each system in each cell. */
export async function measureCells(bench: Bench, options: BenchOptions): Promise<Report> {
  const runs: RunFigures[] = [];
  const raw: RawFigures[] = [];
  const systems = await startSystems(bench, options.systems);
  try {
    for (const system of systems) await warmUp(bench.settings, system);
    for (let round = 0; round < options.rounds; round++) {
      progress(`round ${String(round + 1)}`);
      if (options.raw) raw.push(await measureRaw(bench, Math.min(100_000, options.mostJobs / 2)));
      for (const cell of options.cells)
        for (const system of turned(systems, round)) runs.push(await runOnce(bench.settings, system, cell));
    }
  } finally {
    await Promise.all(systems.map((system) => system.stop()));
  }
  const embedded = options.embedded ? await measureEmbedded(bench, options) : [];
  const [rates, costs] = runTables(runs, options.cells);
  return {
    sections: [
      section('Rates and latencies', rates),
      section('CPU and memory', costs),
      section('The embedded pair', ...runTables(embedded, embeddedCells)),
      section('Raw limits', rawTable(raw)),
    ],
    targets: judge({ runs, raw, embedded }),
    chart: drawChart(runs, options.cells),
  };
}

async function startSystems(bench: Bench, names: readonly string[]): Promise<System[]> {
  const systems: System[] = [];
  if (names.includes('jobs-delete')) systems.push(await bench.startOurs());
  for (const name of peerNames) if (names.includes(name)) systems.push(await bench.startPeer(name));
  return systems;
}

/** Rotates the systems by round, so each is first once. */
function turned(systems: readonly System[], round: number): System[] {
  return systems.map((_, index) => systems[(index + round) % systems.length] as System);
}

function rawTable(raw: readonly RawFigures[]): string {
  const rows = Object.keys(raw[0] ?? {}).map((name) => {
    const value = median(raw.map((round) => round[name] ?? NaN));
    return [name, name.endsWith('ms') ? value.toFixed(1) : whole(value)];
  });
  return table(['What', 'Median'], rows);
}
