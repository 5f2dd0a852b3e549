import { setTimeout as delay } from 'node:timers/promises';
import { cellName, mostJobs, type Cell } from './cells.ts';
import { sharedClockMs, type LoadReport } from './load/load-order.ts';
import type { Load } from './load/start-load.ts';
import { cpuSeconds, peakMib, resetPeak } from './process/usage.ts';
import type { Jobs } from './storage/jobs.ts';
import { callerHeaders, type Caller, type System } from './systems/system.ts';

export interface RunSettings {
  readonly caller: Caller;
  readonly load: Load;
  readonly jobs: Jobs;
  /** Seconds after which no new request starts. */
  readonly seconds: number;
  readonly mostJobs: number;
  /** MongoDB and Kafka processes, whose CPU time and memory are reported too. */
  readonly servers: readonly { readonly name: string; readonly pid: number }[];
}

export interface ProcessFigures {
  readonly name: string;
  readonly cpuSecondsPer1000Jobs: number;
  readonly peakMib: number;
}

/** Result of one run of one system in one cell. */
export interface RunFigures {
  readonly system: string;
  readonly cell: string;
  readonly jobs: number;
  readonly requests: number;
  readonly acceptedPerSecond: number;
  /** Rate from the first request until the last accepted job is removed. NaN if jobs stay. */
  readonly removedPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly retries: number;
  readonly refusal: string | undefined;
  readonly processes: readonly ProcessFigures[];
}

let runs = 0;

export async function runCell(system: System, cell: Cell, settings: RunSettings): Promise<RunFigures> {
  const { caller, load, jobs, seconds, servers } = settings;
  const count = mostJobs(cell, settings.mostJobs);
  const firstJob = await jobs.provide(count);
  const watched = [...system.processes, ...servers];
  await untilQuiet(watched);
  for (const { pid } of watched) resetPeak(pid);
  const before = watched.map(({ pid }) => cpuSeconds(pid));

  const report = await load.run({
    ports: system.ports,
    path: system.path(cell.format),
    headers: callerHeaders(caller),
    cell,
    firstJob,
    jobs: count,
    seconds,
    keyPrefix: `run-${String(process.pid)}-${String(runs++)}`,
  });
  jobs.take(report);
  const removedAtMs = await untilRemoved(jobs, report);
  await untilQuiet(system.processes);

  const perSecond = (endMs: number) => (report.acceptedJobs * 1_000) / (endMs - report.startedAtMs);
  const per1000 = (cpu: number) => (cpu * 1_000) / report.acceptedJobs;
  return {
    system: system.name,
    cell: cellName(cell),
    jobs: report.acceptedJobs,
    requests: report.acceptedRequests,
    acceptedPerSecond: perSecond(report.endedAtMs),
    removedPerSecond: perSecond(removedAtMs),
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    retries: report.retries,
    refusal: report.refusal,
    processes: [
      ...watched.map(({ name, pid }, index) => ({
        name,
        cpuSecondsPer1000Jobs: per1000(cpuSeconds(pid) - (before[index] ?? 0)),
        peakMib: peakMib(pid),
      })),
      {
        name: 'load generator',
        cpuSecondsPer1000Jobs: per1000(report.cpuSeconds),
        peakMib: peakMib(load.pid),
      },
    ],
  };
}

/** Returns the time when the last accepted job is gone, or NaN after two minutes without a removal. */
export async function untilRemoved(jobs: Jobs, report: LoadReport): Promise<number> {
  let least = Infinity;
  let since = performance.now();
  for (;;) {
    const remaining = await jobs.remaining();
    if (remaining <= 0) return Math.max(sharedClockMs(), report.endedAtMs);
    if (remaining < least) {
      least = remaining;
      since = performance.now();
    }
    if (performance.now() - since > 120_000) return NaN;
    await delay(10);
  }
}

/** Waits until the processes are idle. Events are published and records completed after the removal, at a cost. */
async function untilQuiet(processes: readonly { readonly pid: number }[]): Promise<void> {
  const used = () => processes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const deadline = performance.now() + 30_000;
  for (let last = used(); performance.now() < deadline;) {
    await delay(250);
    const now = used();
    if (now - last <= 0.03) return;
    last = now;
  }
}
