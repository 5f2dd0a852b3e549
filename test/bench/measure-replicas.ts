import type { Bench } from './bench.ts';
import type { Figures } from './figures.ts';
import { runOnce, warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import type { RunFigures } from './run-cell.ts';

/** Measures one replica of each role and several, in turns. All use the same databases. */
export async function measureReplicas(
  bench: Bench,
  options: BenchOptions,
  most: number,
): Promise<Figures['replicas']> {
  const found = new Map<number, RunFigures[]>([
    [1, []],
    [most, []],
  ]);
  for (let round = 0; round < options.rounds; round++) {
    for (const [replicas, runs] of found) {
      progress(`${String(replicas)} of each role`);
      const system = await bench.startOurs({ replicas });
      try {
        await warmUp(bench, system);
        for (const cell of options.cells) runs.push(await runOnce(bench, system, cell, round));
      } finally {
        await system.stop();
      }
    }
  }
  return [...found].map(([replicas, runs]) => ({ replicas, runs }));
}
