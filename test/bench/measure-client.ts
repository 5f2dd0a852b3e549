import type { Bench, BenchOptions } from './bench.ts';
import { parseCell } from './cells.ts';
import { perSecond, sendLoad, startLoad } from './load/load.ts';
import type { LoadReport } from './load/orders.ts';
import { progress } from './progress.ts';
import { table, whole, type Report } from './report/report.ts';
import { median } from './report/statistics.ts';
import { untilRemoved, warmUp } from './run-cell.ts';

/**
 * Compares the TypeScript client with the load generator, in turns. Each round is slower than the one before, because the
 * database grows: so they take turns in beginning, and the ratio is the median of the rounds' ratios.
 */
export async function measureClient(bench: Bench, { rounds }: BenchOptions, jobs: string): Promise<Report> {
  const system = await bench.startOurs();
  const client = startLoad('client');
  const reports: [LoadReport[], LoadReport[]] = [[], []];
  const sending = { cell: parseCell('10000x4'), jobs: Number(jobs), seconds: 3_600 };
  try {
    await warmUp(bench.settings, system);
    for (let round = 0; round < rounds; round++) {
      const turns = [...[bench.settings.load, client].entries()];
      for (const [index, load] of round % 2 === 0 ? turns : turns.toReversed()) {
        const report = await sendLoad({ ...bench.settings, load }, system, sending);
        await untilRemoved(bench.settings.jobs, report);
        progress(`round ${String(round + 1)}: ${whole(rateOf(report))} jobs/s`);
        reports[index]?.push(report);
      }
    }
  } finally {
    client.stop();
    await system.stop();
  }
  const [raw, ours] = reports;
  const ratios = ours.map((report, round) => rateOf(report) / rateOf(raw[round] ?? report));
  const heads = ['sender', 'accepted jobs/s', 'ratio', 'CPU µs a job'];
  const rows = [rowOf('load generator', raw, 1), rowOf('TypeScript client', ours, median(ratios))];
  return { sections: [table(heads, rows)] };
}

function rowOf(name: string, reports: readonly LoadReport[], ratio: number): string[] {
  const cpu = median(reports.map(({ cpuSeconds, acceptedJobs }) => (cpuSeconds * 1e6) / acceptedJobs));
  return [name, whole(median(reports.map(rateOf))), ratio.toFixed(2), cpu.toFixed(1)];
}

function rateOf(report: LoadReport): number {
  return perSecond(report.acceptedJobs, report);
}
