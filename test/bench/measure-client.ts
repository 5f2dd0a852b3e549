import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { LoadReport } from './load/load-order.ts';
import { perSecond } from './load/send-load.ts';
import { startLoad, type Load } from './load/start-load.ts';
import { warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { median } from './report/statistics.ts';
import { row, table } from './report/table.ts';
import { untilRemoved } from './run-cell.ts';
import { callerHeaders, type System } from './systems/system.ts';

const cell = parseCell('10000x4');
const heads = ['sender', 'accepted jobs/s', 'ratio', 'CPU µs a job'];

/**
 * Compares the TypeScript client with the load generator, in turns. Each round is slower than the one before, because the
 * database grows: so they take turns in beginning, and the ratio is the median of the rounds' ratios. Returns a table in
 * Markdown.
 */
export async function measureClient(bench: Bench, { rounds, client: jobs }: BenchOptions): Promise<string> {
  const system = await bench.startOurs();
  const client = startLoad('client-load');
  const reports: [LoadReport[], LoadReport[]] = [[], []];
  try {
    await warmUp(bench, system);
    for (let round = 0; round < rounds; round++) {
      const turns = [...[bench.settings.load, client].entries()];
      for (const [index, load] of round % 2 === 0 ? turns : turns.toReversed()) {
        const report = await send(bench, system, load, jobs);
        progress(`round ${String(round + 1)}: ${Math.round(rateOf(report)).toString()} jobs/s`);
        reports[index]?.push(report);
      }
    }
  } finally {
    client.stop();
    await system.stop();
  }
  const [raw, ours] = reports;
  const ratios = ours.map((report, round) => rateOf(report) / rateOf(raw[round] ?? report));
  return table(heads, [rowOf('load generator', raw, 1), rowOf('TypeScript client', ours, median(ratios))]);
}

function rowOf(name: string, reports: readonly LoadReport[], ratio: number): string {
  const cpu = median(reports.map(({ cpuSeconds, acceptedJobs }) => (cpuSeconds * 1e6) / acceptedJobs));
  return row([name, Math.round(median(reports.map(rateOf))), ratio.toFixed(2), cpu.toFixed(1)]);
}

function rateOf(report: LoadReport): number {
  return perSecond(report.acceptedJobs, report);
}

let sent = 0;

async function send({ settings }: Bench, system: System, load: Load, jobs: number): Promise<LoadReport> {
  const firstJob = await settings.jobs.provide(jobs);
  const report = await load.run({
    ports: system.ports,
    path: system.path(cell.format),
    headers: callerHeaders(settings.caller),
    cell,
    firstJob,
    jobs,
    seconds: 3_600,
    keyPrefix: `client-${String(process.pid)}-${String(sent++)}`,
  });
  settings.jobs.take(report);
  await untilRemoved(settings.jobs, report);
  return report;
}
