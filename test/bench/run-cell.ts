import { setTimeout as delay } from 'node:timers/promises';
import { cellName, describeCell, mostJobs, parseCell, type Cell } from './cells.ts';
import type { Jobs } from './jobs.ts';
import { sendLoad, type Sender } from './load/load.ts';
import { sharedClockMs, type LoadReport } from './load/orders.ts';
import { cpuSeconds, peakMib, resetPeak } from './processes.ts';
import { progress } from './progress.ts';
import type { System } from './systems.ts';

export interface RunSettings extends Sender {
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

/** Runs one cell. Prepares the jobs first, and waits until the processes are idle. */
async function runCell(system: System, cell: Cell, settings: RunSettings): Promise<RunFigures> {
  const { load, jobs, seconds, servers } = settings;
  const count = mostJobs(cell, settings.mostJobs);
  await jobs.provide(count);
  const watched = [...system.processes, ...servers];
  await untilQuiet(watched);
  for (const { pid } of watched) resetPeak(pid);
  const before = watched.map(({ pid }) => cpuSeconds(pid));

  const report = await sendLoad(settings, system, { cell, seconds, jobs: count });
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

/**
 * Sends requests until code is compiled and connections are open. Stops after a number of requests, not after a time:
 * a busy machine needs longer.
 */
export async function warmUp(settings: RunSettings, system: System): Promise<void> {
  progress(`warming up ${system.name}`);
  const { seconds } = settings;
  await runUncounted(system, parseCell('1x64'), settings, { seconds: 5 * seconds, mostJobs: 8_000 });
  for (const cell of ['1000x16', '1000x16:xml'].map(parseCell))
    await runUncounted(system, cell, settings, { seconds, mostJobs: 40_000 });
}

async function runUncounted(
  system: System,
  cell: Cell,
  settings: RunSettings,
  most: Pick<RunSettings, 'seconds' | 'mostJobs'>,
): Promise<void> {
  const mostJobs = Math.min(settings.mostJobs, most.mostJobs);
  await runCell(system, cell, { ...settings, seconds: most.seconds, mostJobs });
}

/**
 * Measures one run, after an unmeasured second of the same load: idle systems have cold code, and so has Kafka. Reports
 * a run that is not valid, and lets the bench fail.
 */
export async function runOnce(settings: RunSettings, system: System, cell: Cell): Promise<RunFigures> {
  await runUncounted(system, cell, settings, { seconds: 1, mostJobs: 40_000 });
  const figures = await runCell(system, cell, settings);
  const { acceptedPerSecond, removedPerSecond, refusal } = figures;
  progress(
    `${describeCell(cell)}: ${system.name}: ` +
      `${acceptedPerSecond.toFixed(0)} accepted/s, ${removedPerSecond.toFixed(0)} removed/s`,
  );
  if (refusal !== undefined || Number.isNaN(removedPerSecond)) {
    progress(`NOT VALID: ${refusal?.slice(0, 500) ?? 'accepted jobs were not removed'}`);
    process.exitCode = 1;
  }
  return figures;
}
