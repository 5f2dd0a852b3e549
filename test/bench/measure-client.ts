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

/** Compares the TypeScript client with the load generator, in turns. Returns a table in Markdown. */
export async function measureClient(bench: Bench, { rounds, client: jobs }: BenchOptions): Promise<string> {
  const system = await bench.startOurs();
  const client = startLoad('client-load');
  const reports: [LoadReport[], LoadReport[]] = [[], []];
  try {
    await warmUp(bench, system);
    for (let round = 0; round < rounds; round++) {
      for (const [index, load] of [bench.settings.load, client].entries()) {
        const report = await send(bench, system, load, jobs);
        progress(`round ${String(round + 1)}: ${Math.round(rateOf(report)).toString()} jobs/s`);
        reports[index]?.push(report);
      }
    }
  } finally {
    client.stop();
    await system.stop();
  }
  const [raw, ours] = reports.map((all) => median(all.map(rateOf)));
  return table(heads, [
    rowOf('load generator', reports[0], raw ?? NaN, raw ?? NaN),
    rowOf('TypeScript client', reports[1], ours ?? NaN, raw ?? NaN),
  ]);
}

function rowOf(name: string, reports: readonly LoadReport[], rate: number, base: number): string {
  const cpu = median(reports.map(({ cpuSeconds, acceptedJobs }) => (cpuSeconds * 1e6) / acceptedJobs));
  return row([name, Math.round(rate), (rate / base).toFixed(2), cpu.toFixed(1)]);
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
