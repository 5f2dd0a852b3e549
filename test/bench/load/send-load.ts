import type { Cell } from '../cells.ts';
import type { Jobs } from '../storage/jobs.ts';
import { callerHeaders, type Caller, type System } from '../systems/system.ts';
import type { JobOrder, LoadReport } from './load-order.ts';
import type { Load } from './start-load.ts';

/** An account that sends requests: its credentials, its jobs, and the process that sends. */
export interface Sender {
  readonly caller: Caller;
  readonly jobs: Jobs;
  readonly load: Load;
}

export interface Sending {
  readonly cell: Cell;
  readonly seconds: number;
  readonly order?: JobOrder;
}

let sent = 0;

/** Sends requests for the given time. The jobs never run out. */
export async function sendLoad(sender: Sender, system: System, sending: Sending): Promise<LoadReport> {
  const { caller, jobs, load } = sender;
  const count = jobsFor(sending.cell, sending.seconds);
  const firstJob = await jobs.provide(count);
  const report = await load.run({
    ports: system.ports,
    path: system.path('json'),
    headers: callerHeaders(caller),
    firstJob,
    jobs: count,
    keyPrefix: `load-${String(process.pid)}-${String(sent++)}`,
    ...sending,
  });
  jobs.take({ acceptedJobs: report.acceptedJobs, issuedJobs: count });
  return report;
}

/** Returns more jobs than any system on this machine accepts in the given time. */
export function jobsFor({ ids }: Cell, seconds: number): number {
  return (ids === 1 ? 5_000 : 30_000) * seconds;
}

export function perSecond(count: number, { startedAtMs, endedAtMs }: LoadReport): number {
  return (count * 1_000) / (endedAtMs - startedAtMs);
}
