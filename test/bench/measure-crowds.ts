import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { parseCell, type Cell } from './cells.ts';
import type { LoadReport } from './load/load-order.ts';
import { jobsFor, perSecond } from './load/send-load.ts';
import { startLoad } from './load/start-load.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { row, table } from './report/table.ts';
import { callerHeaders, type Caller, type System } from './systems/system.ts';

/** Numbers of accounts that send at the same time. */
export const crowds = [1, 50, 500, 5_000];

/** 1-id requests of many accounts, compared with those of one. */
export async function measureCrowds(
  bench: Bench,
  options: BenchOptions,
  crowd: readonly Caller[],
  system: System,
): Promise<string> {
  const rows: string[] = [];
  const load = startLoad();
  try {
    for (const inFlight of [64, 512]) {
      let alone: number | undefined;
      for (const count of crowds) {
        const cell = parseCell(`1x${String(inFlight)}`);
        const callers = crowd.slice(0, count);
        const send = async (seconds: number, name: string) => {
          const total = jobsFor(cell, seconds);
          const firstJob = await provideToAll(bench, callers, Math.ceil(total / count));
          return load.run({
            ...orderOf(system, cell, seconds),
            headers: {},
            accounts: callers.map(callerHeaders),
            firstJob,
            jobs: total,
            keyPrefix: `crowd-${String(count)}-${String(inFlight)}-${name}`,
          });
        };
        // Not counted: new callers wait for the check of their credentials.
        await send(3, 'first');
        const report = await send(options.seconds, 'counted');
        const rate = perSecond(report.acceptedRequests, report);
        alone ??= rate;
        rows.push(row([inFlight, count, Math.round(rate), (rate / alone).toFixed(2), ...latencies(report)]));
        progress(rows.at(-1) ?? '');
        await settle(bench);
      }
    }
  } finally {
    load.stop();
  }
  return table(['in flight', 'accounts', 'requests/s', 'to one account', 'p50 ms', 'p99 ms', '503'], rows);
}

let crowdJobs = 900_000_000;

/** Gives each account the same new jobs. Returns the number of the first. */
async function provideToAll(bench: Bench, callers: readonly Caller[], count: number): Promise<number> {
  const firstJob = crowdJobs;
  crowdJobs += count;
  await bench.settings.jobs.provideTo(
    callers.map(({ accountId }) => accountId),
    firstJob,
    count,
  );
  return firstJob;
}

/** Waits until no job of the crowd waits for its removal, so that the next measurement starts idle. */
async function settle({ settings }: Bench): Promise<void> {
  for (let last = -1; ;) {
    const now = await settings.jobs.remaining();
    if (now === last) return;
    last = now;
    await delay(500);
  }
}

export function orderOf(system: System, cell: Cell, seconds: number) {
  return { ports: system.ports, path: system.path('json'), cell, seconds };
}

export function latencies({ p50Ms, p99Ms, retries, refusal }: LoadReport): (string | number)[] {
  return [p50Ms.toFixed(1), p99Ms.toFixed(1), refusal?.slice(0, 200) ?? retries];
}
