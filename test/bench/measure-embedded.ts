import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import { startEmbedded } from './embedded.ts';
import { runOnce, warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import type { RunFigures } from './run-cell.ts';

export const embeddedCells = ['1x64', '1000x16'].map(parseCell);

export async function measureEmbedded(bench: Bench, options: BenchOptions): Promise<RunFigures[]> {
  const pair = await startEmbedded(bench, { jobs: options.jobs });
  try {
    for (const embedded of pair) await warmUp(embedded, embedded.system);
    const runs: RunFigures[] = [];
    for (let round = 0; round < options.rounds; round++)
      for (const cell of embeddedCells)
        for (const embedded of pair) runs.push(await runOnce(embedded, embedded.system, cell, round));
    return runs;
  } finally {
    for (const embedded of pair) await embedded.stop();
  }
}
