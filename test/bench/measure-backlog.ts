import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { Backlog } from './figures.ts';
import { sharedClockMs } from './load/load-order.ts';
import { progress } from './progress.ts';
import { peakMib, resetPeak } from './process/usage.ts';
import { callerHeaders, stopAll, type System } from './systems/system.ts';

/**
 * Accepts all jobs without a relay or worker, then starts both and measures the removal. Reports the memory peaks of
 * each half: memory that grows with the number of processed jobs shows in the second.
 */
export async function measureBacklog(bench: Bench, jobCount: number): Promise<Backlog> {
  const accepted = await acceptAll(bench, jobCount);
  const acceptedPerSecond = (accepted.jobs * 1_000) / accepted.ms;
  progress(`a backlog of ${String(accepted.jobs)} jobs, accepted at ${acceptedPerSecond.toFixed(0)}/s`);

  const startedAtMs = sharedClockMs();
  const { processes } = await bench.startOurs({ roles: ['relay', 'worker'] });
  try {
    const peaks = watchPeaks(processes);
    await untilRemaining(bench, accepted.jobs / 2);
    peaks.beginSecondHalf();
    await untilRemaining(bench, 0);
    const drainSeconds = (sharedClockMs() - startedAtMs) / 1_000;
    return {
      jobs: accepted.jobs,
      acceptedPerSecond,
      drainSeconds,
      removedPerSecond: accepted.jobs / drainSeconds,
      peaks: [...accepted.peaks, ...peaks.end()],
    };
  } finally {
    await stopAll(processes);
  }
}

async function acceptAll(bench: Bench, jobCount: number) {
  const firstJob = await bench.settings.jobs.provide(jobCount);
  const half = Math.ceil(jobCount / 2_000) * 1_000;
  const system = await bench.startOurs({ roles: ['gateway', 'api'] });
  try {
    const peaks = watchPeaks(system.processes);
    const first = await accept(bench, system, { firstJob, jobs: half });
    peaks.beginSecondHalf();
    const second = await accept(bench, system, { firstJob: firstJob + half, jobs: jobCount - half });
    return { jobs: first.jobs + second.jobs, ms: first.ms + second.ms, peaks: peaks.end() };
  } finally {
    await system.stop();
  }
}

async function accept(
  { settings }: Bench,
  { ports, path }: System,
  { firstJob, jobs }: { readonly firstJob: number; readonly jobs: number },
): Promise<{ readonly jobs: number; readonly ms: number }> {
  const report = await settings.load.run({
    ports,
    path: path('json'),
    headers: callerHeaders(settings.caller),
    cell: parseCell('1000x16'),
    firstJob,
    jobs,
    seconds: 3_600,
    keyPrefix: `backlog-${String(firstJob)}`,
  });
  settings.jobs.take(report);
  return { jobs: report.acceptedJobs, ms: report.endedAtMs - report.startedAtMs };
}

async function untilRemaining({ settings }: Bench, most: number): Promise<void> {
  for (let said = sharedClockMs(); ;) {
    const remaining = await settings.jobs.remaining();
    if (remaining <= most) return;
    if (sharedClockMs() - said > 10_000) {
      said = sharedClockMs();
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
    end: (): Backlog['peaks'] => {
      const secondHalf = peaks();
      return processes.map(({ name }, index) => ({
        name,
        firstHalfMib: firstHalf[index] ?? NaN,
        secondHalfMib: secondHalf[index] ?? NaN,
      }));
    },
  };
}
