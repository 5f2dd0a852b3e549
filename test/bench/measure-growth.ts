import type { Bench, BenchOptions } from './bench.ts';
import { describeCell } from './cells.ts';
import { progress } from './progress.ts';
import { runTables, section, type Report } from './report/report.ts';
import { medianOf } from './report/statistics.ts';
import { target } from './report/targets.ts';
import { runOnce, warmUp, type RunFigures } from './run-cell.ts';

/** Measures the cells at several sizes of the collection, from the smallest on. */
export async function measureGrowth(bench: Bench, options: BenchOptions, sizes: string): Promise<Report> {
  const growth: { readonly jobs: string; readonly runs: readonly RunFigures[] }[] = [];
  for (const jobs of sizes
    .split(',')
    .map(Number)
    .toSorted((a, b) => a - b)) {
    progress(`importing, up to ${String(jobs)} jobs`);
    await bench.settings.jobs.fill(jobs);
    growth.push({ jobs: jobs.toLocaleString('en'), runs: await measureReplicated(bench, options, 1) });
  }
  // Only requests of 1 id: deletes in a large index cost more in every system (docs/benchmarks/bounds.md).
  const cells = options.cells.filter(({ ids }) => ids === 1);
  const [small, ...larger] = growth;
  const targets = larger.flatMap(({ jobs, runs }) =>
    cells.flatMap((cell) =>
      (['accepted', 'removed'] as const).map((what) => {
        const rate = (of: readonly RunFigures[]) => medianOf(of, 'jobs-delete', cell, `${what}PerSecond`);
        const name = `${describeCell(cell)}: ${what}/s with ${jobs} jobs, to ${small?.jobs ?? ''}`;
        return target(name, rate(runs) / rate(small?.runs ?? []), 'at least', 0.85);
      }),
    ),
  );
  const sections = growth.map(({ jobs, runs }) =>
    section(`With ${jobs} jobs in the collection`, ...runTables(runs, options.cells)),
  );
  return { sections, targets };
}

/** Measures one replica of each role and several, in turns. All use the same databases. */
export async function measureReplicas(bench: Bench, options: BenchOptions, most: string): Promise<Report> {
  const found = new Map<number, RunFigures[]>([1, Number(most)].map((replicas) => [replicas, []]));
  for (let round = 0; round < options.rounds; round++)
    for (const [replicas, runs] of found)
      runs.push(...(await measureReplicated(bench, { ...options, rounds: 1 }, replicas)));
  const sections = [...found].map(([replicas, runs]) =>
    section(`${String(replicas)} of each role`, ...runTables(runs, options.cells)),
  );
  return { sections };
}

async function measureReplicated(
  bench: Bench,
  { cells, rounds }: BenchOptions,
  replicas: number,
): Promise<RunFigures[]> {
  progress(`${String(replicas)} of each role`);
  const system = await bench.startOurs({ replicas });
  const runs: RunFigures[] = [];
  try {
    await warmUp(bench.settings, system);
    for (let round = 0; round < rounds; round++)
      for (const cell of cells) runs.push(await runOnce(bench.settings, system, cell));
  } finally {
    await system.stop();
  }
  return runs;
}
