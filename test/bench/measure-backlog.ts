import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, BenchOptions } from './bench.ts';
import { parseCell } from './cells.ts';
import { sendLoad } from './load/load.ts';
import { peakMib, resetPeak, stopAll } from './processes.ts';
import { progress } from './progress.ts';
import { section, table, whole, type Report } from './report/report.ts';
import { target } from './report/targets.ts';
import type { System } from './systems.ts';

/** Peak memory of a process during the first and the second half of the jobs, either accepted or removed. */
interface Peaks {
  readonly name: string;
  readonly firstHalfMib: number;
  readonly secondHalfMib: number;
}

/**
 * Accepts all jobs without a relay or worker, then starts both and measures the removal. Reports the memory peaks of
 * each half: memory that grows with the number of processed jobs shows in the second.
 */
export async function measureBacklog(bench: Bench, _options: BenchOptions, jobs: string): Promise<Report> {
  const accepted = await acceptAll(bench, Number(jobs));
  progress(`a backlog of ${jobs} jobs, accepted at ${whole(accepted.perSecond)}/s`);
  const startedAtMs = performance.now();
  const { processes } = await bench.startOurs({ roles: ['relay', 'worker'] });
  try {
    const watched = watchPeaks(processes);
    await untilRemaining(bench, accepted.jobs / 2);
    watched.beginSecondHalf();
    await untilRemaining(bench, 0);
    const drainSeconds = (performance.now() - startedAtMs) / 1_000;
    const peaks = [...accepted.peaks, ...watched.end()];
    const text =
      `${whole(accepted.jobs)} jobs were accepted at ${whole(accepted.perSecond)}/s, without relay and worker. Both started ` +
      `afterwards and removed the jobs in ${drainSeconds.toFixed(1)} s: ${whole(accepted.jobs / drainSeconds)} jobs/s.\n`;
    const heads = ['Process', 'Peak MiB, first half of the jobs', 'second half'];
    const rows = peaks.map((of) => [of.name, whole(of.firstHalfMib), whole(of.secondHalfMib)]);
    return {
      sections: [section('A backlog', text, table(heads, rows))],
      targets: peaks.flatMap(({ name, firstHalfMib, secondHalfMib }) => [
        target(`most memory of ${name}`, Math.max(firstHalfMib, secondHalfMib), 'at most', 256, ' MiB'),
        target(`memory of ${name}, second half to first`, secondHalfMib / firstHalfMib, 'at most', 1.15),
      ]),
    };
  } finally {
    await stopAll(processes);
  }
}

async function acceptAll(bench: Bench, jobs: number) {
  await bench.settings.jobs.provide(jobs);
  const system = await bench.startOurs({ roles: ['gateway', 'api'] });
  const accept = (count: number) =>
    sendLoad(bench.settings, system, { cell: parseCell('1000x16'), seconds: 3_600, jobs: count });
  try {
    const peaks = watchPeaks(system.processes);
    const half = Math.ceil(jobs / 2_000) * 1_000;
    const first = await accept(half);
    peaks.beginSecondHalf();
    const second = await accept(jobs - half);
    const accepted = first.acceptedJobs + second.acceptedJobs;
    const ms = [first, second].reduce((sum, { startedAtMs, endedAtMs }) => sum + endedAtMs - startedAtMs, 0);
    return { jobs: accepted, perSecond: (accepted * 1_000) / ms, peaks: peaks.end() };
  } finally {
    await system.stop();
  }
}

async function untilRemaining({ settings }: Bench, most: number): Promise<void> {
  for (let said = performance.now(); ;) {
    const remaining = await settings.jobs.remaining();
    if (remaining <= most) return;
    if (performance.now() - said > 10_000) {
      said = performance.now();
      progress(`${String(remaining)} jobs of the backlog left`);
    }
    await delay(20);
  }
}

function watchPeaks(processes: System['processes']) {
  const peaks = () => processes.map(({ pid }) => peakMib(pid));
  const reset = () => processes.forEach(({ pid }) => resetPeak(pid));
  let firstHalf: readonly number[] = [];
  reset();
  return {
    beginSecondHalf: () => {
      firstHalf = peaks();
      reset();
    },
    end: (): Peaks[] => {
      const secondHalf = peaks();
      return processes.map(({ name }, index) => ({
        name,
        firstHalfMib: firstHalf[index] ?? NaN,
        secondHalfMib: secondHalf[index] ?? NaN,
      }));
    },
  };
}
