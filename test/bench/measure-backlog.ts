import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { Backlog } from './figures.ts';
import { sharedClockMs } from './load/load-order.ts';
import { progress } from './progress.ts';
import { cpuSeconds, peakMib, resetPeak } from './process/usage.ts';
import { callerHeaders, stopAll } from './systems/system.ts';

/** Accepted while no relay and no worker runs; then both are started, and have all of it to do. */
export async function measureBacklog(bench: Bench, jobCount: number): Promise<Backlog> {
  const { settings } = bench;
  const cell = parseCell('1000x16');
  const firstJob = await settings.jobs.provide(jobCount);
  const accepting = await bench.startOurs({ roles: ['gateway', 'api'] });
  const report = await settings.load
    .run({
      ports: accepting.ports,
      path: accepting.path('json'),
      headers: callerHeaders(settings.caller),
      cell,
      firstJob,
      jobs: jobCount,
      seconds: 3_600,
      keyPrefix: 'backlog',
    })
    .finally(() => accepting.stop());
  settings.jobs.take(report);
  const acceptedPerSecond = (report.acceptedJobs * 1_000) / (report.endedAtMs - report.startedAtMs);
  progress(`a backlog of ${String(report.acceptedJobs)} jobs, accepted at ${acceptedPerSecond.toFixed(0)}/s`);

  const startedAtMs = sharedClockMs();
  const { processes } = await bench.startOurs({ roles: ['relay', 'worker'] });
  try {
    for (const { pid } of processes) resetPeak(pid);
    for (let said = startedAtMs; ;) {
      const remaining = await settings.jobs.remaining();
      if (remaining <= 0) break;
      if (sharedClockMs() - said > 10_000) {
        said = sharedClockMs();
        progress(`${String(remaining)} jobs left of the backlog`);
      }
      await delay(20);
    }
    const drainSeconds = (sharedClockMs() - startedAtMs) / 1_000;
    return {
      jobs: report.acceptedJobs,
      acceptedPerSecond,
      drainSeconds,
      removedPerSecond: report.acceptedJobs / drainSeconds,
      processes: processes.map(({ name, pid }) => ({
        name,
        cpuSecondsPer1000Jobs: (cpuSeconds(pid) * 1_000) / report.acceptedJobs,
        peakMib: peakMib(pid),
      })),
    };
  } finally {
    await stopAll(processes);
  }
}
