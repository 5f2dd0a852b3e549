import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Cell } from '../cells.ts';
import { builtFolder } from '../folders.ts';
import type { Jobs } from '../jobs.ts';
import { callerHeaders, type Caller, type System } from '../systems.ts';
import type { SenderName } from './generator.ts';
import type { LoadOrder, LoadReport } from './orders.ts';

export interface Load<Order = LoadOrder, Report = LoadReport> {
  readonly pid: number;
  run(order: Order): Promise<Report>;
  stop(): void;
}

export function startLoad<Order = LoadOrder, Report = LoadReport>(
  sender: SenderName = 'requests',
): Load<Order, Report> {
  const child = fork(join(builtFolder, 'load/generator.js'), [sender], {
    execArgv: ['--max-semi-space-size=64'],
  });
  return {
    pid: child.pid ?? 0,
    run: async (order) => {
      child.send(order as object);
      const [outcome] = (await once(child, 'message')) as [{ report: Report } | { error: string }];
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome.report;
    },
    stop: () => child.disconnect(),
  };
}

/** An account that sends requests: its credentials, its jobs, and the process that sends. */
export interface Sender {
  readonly caller: Caller;
  readonly jobs: Jobs;
  readonly load: Load;
}

export type Sending = Partial<LoadOrder> &
  Pick<LoadOrder, 'cell' | 'seconds'> & {
    /** false sends no idempotency keys, and repeats no request. */
    readonly keys?: boolean;
  };

let sent = 0;

/** Sends DELETE requests for the given time, or until the given number of jobs is sent. By default, the jobs never run out. */
export async function sendLoad(sender: Sender, system: System, sending: Sending): Promise<LoadReport> {
  const { caller, jobs, load } = sender;
  const { keys = true, jobs: count = jobsFor(sending.cell, sending.seconds), ...order } = sending;
  const report = await load.run({
    ports: system.ports,
    path: system.path(order.cell.format),
    headers: callerHeaders(caller),
    ...(keys && { keyPrefix: `load-${String(process.pid)}-${String(sent++)}` }),
    firstJob: await jobs.provide(count),
    ...order,
    jobs: count,
  });
  // Repeated requests have no effect.
  if (order.repeat !== true) jobs.take(report);
  return report;
}

/** Returns more jobs than any system on this machine accepts in the given time. */
export function jobsFor({ ids }: Cell, seconds: number): number {
  return (ids === 1 ? 5_000 : 30_000) * seconds;
}

export function perSecond(count: number, { startedAtMs, endedAtMs }: LoadReport): number {
  return (count * 1_000) / (endedAtMs - startedAtMs);
}
