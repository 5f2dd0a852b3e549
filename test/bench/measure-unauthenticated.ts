import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mongoose';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import { builtFolder } from './folders.ts';
import type { LoadReport } from './load/load-order.ts';
import { perSecond, sendLoad } from './load/send-load.ts';
import type { UnauthenticatedOrder, UnauthenticatedReport } from './load/unauthenticated-generator.ts';
import { warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { cpuSeconds } from './process/usage.ts';
import { progress } from './progress.ts';
import { row, table } from './report/table.ts';
import { jobsDeletePath, type System } from './systems/system.ts';

const cell = parseCell('1x4');
const heads = [
  ...['unknown callers', 'valid requests/s', 'p50 ms', 'p99 ms', 'p99 share', '503 of valid'],
  ...['look-ups/s', 'CPU of MongoDB', 'answers/s to unknown callers'],
];
const floods = [
  { name: 'none', addresses: 0, connections: 0 },
  { name: '64 connections of 1 address', addresses: 1, connections: 64 },
  { name: '500 connections of 1 address', addresses: 1, connections: 500 },
  { name: '500 connections of 500 addresses', addresses: 500, connections: 500 },
];

/**
 * Measures four valid callers with 1 id each, beside callers that send unknown tokens as fast as they can. Returns a
 * table in Markdown.
 */
export async function measureUnauthenticated(bench: Bench, { seconds }: BenchOptions): Promise<string> {
  const system = await bench.startOurs();
  const mongo = await createConnection(bench.servers.databaseUrl).asPromise();
  const lookUps = async () => {
    const status = (await mongo.db?.command({ serverStatus: 1 })) as ServerStatus;
    return status.metrics.commands.aggregate.total;
  };
  const rows: string[] = [];
  let aloneMs: number | undefined;
  try {
    await warmUp(bench, system);
    for (const flood of floods) {
      progress(flood.name);
      const unauthenticated = startUnauthenticated(system, flood, seconds + 1);
      await delay(500);
      const mongod = bench.servers.processes[0]?.pid ?? 0;
      const before = { lookUps: await lookUps(), cpu: cpuSeconds(mongod) };
      const valid = await sendLoad(bench.settings, system, { cell, seconds });
      const lookedUp = (await lookUps()) - before.lookUps;
      const cores = (cpuSeconds(mongod) - before.cpu) / seconds;
      aloneMs ??= valid.p99Ms;
      const ofValid = rowOfValid(valid, aloneMs);
      const answers = Object.entries(await unauthenticated).map(
        ([status, rate]) => `${status}: ${String(rate)}`,
      );
      rows.push(
        row([flood.name, ...ofValid, Math.round(lookedUp / seconds), cores.toFixed(2), answers.join(', ')]),
      );
      progress(rows.at(-1) ?? '');
    }
  } finally {
    await mongo.close();
    await system.stop();
  }
  return table(heads, rows);
}

interface ServerStatus {
  readonly metrics: { readonly commands: { readonly aggregate: { readonly total: number } } };
}

function rowOfValid(valid: LoadReport, aloneMs: number): (string | number)[] {
  const rate = Math.round(perSecond(valid.acceptedRequests, valid));
  const times = [valid.p50Ms, valid.p99Ms].map((ms) => ms.toFixed(1));
  return [rate, ...times, (valid.p99Ms / aloneMs).toFixed(1), valid.refusal ?? valid.retries];
}

async function startUnauthenticated(
  { ports }: System,
  { addresses, connections }: (typeof floods)[number],
  seconds: number,
): Promise<UnauthenticatedReport> {
  if (connections === 0) return {};
  const child = fork(join(builtFolder, 'load/unauthenticated-generator.js'));
  const order: UnauthenticatedOrder = {
    port: ports[0] ?? 0,
    path: jobsDeletePath('json'),
    ...{ addresses, connections, seconds },
  };
  child.send(order);
  const [outcome] = (await once(child, 'message')) as [{ report: UnauthenticatedReport } | { error: string }];
  child.disconnect();
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.report;
}
