import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mongoose';
import type { Bench, BenchOptions } from './bench.ts';
import { parseCell } from './cells.ts';
import { perSecond, sendLoad, startLoad } from './load/load.ts';
import type { UnauthenticatedOrder, UnauthenticatedReport } from './load/orders.ts';
import { cpuSeconds } from './processes.ts';
import { openTable, type Report } from './report/report.ts';
import { warmUp } from './run-cell.ts';
import { jobsDeletePath } from './systems.ts';

const none = { connections: 0, idle: 0, slow: 0 };
const floods = [
  { ...none, name: 'none', addresses: 1 },
  { ...none, name: '64 connections of 1 address', addresses: 1, connections: 64 },
  { ...none, name: '500 connections of 1 address', addresses: 1, connections: 500 },
  { ...none, name: '500 connections of 500 addresses', addresses: 500, connections: 500 },
  {
    ...none,
    name: '10,000 idle and 1,000 slow ones of 2 addresses',
    addresses: 2,
    idle: 10_000,
    slow: 1_000,
  },
  {
    ...none,
    name: '10,000 idle and 1,000 slow ones of 250 addresses',
    addresses: 250,
    idle: 10_000,
    slow: 1_000,
  },
];

/** Measures four valid callers with 1 id each, beside callers that send unknown tokens as fast as they can. */
export async function measureUnauthenticated(bench: Bench, { seconds }: BenchOptions): Promise<Report> {
  const rows = openTable([
    ...['unknown callers', 'valid requests/s', 'p50 ms', 'p99 ms', 'p99 share', '503 of valid'],
    ...['look-ups/s', 'CPU of MongoDB', 'answers/s to unknown callers'],
  ]);
  const system = await bench.startOurs();
  const unknown = startLoad<UnauthenticatedOrder, UnauthenticatedReport>('unauthenticated');
  const mongo = await createConnection(bench.databaseUrl).asPromise();
  const lookUps = async () => {
    const status = (await mongo.db?.command({ serverStatus: 1 })) as ServerStatus;
    return status.metrics.commands.aggregate.total;
  };
  let aloneMs: number | undefined;
  try {
    await warmUp(bench.settings, system);
    for (const { name, ...flood } of floods) {
      const flooding = unknown.run({
        ...flood,
        port: system.ports[0] ?? 0,
        path: jobsDeletePath('json'),
        seconds: seconds + (flood.idle > 0 ? 4 : 1),
      });
      await delay(flood.idle > 0 ? 3_000 : 500);
      const before = { lookUps: await lookUps(), cpu: cpuSeconds(bench.mongodPid) };
      const valid = await sendLoad(bench.settings, system, { cell: parseCell('1x4'), seconds });
      const lookedUp = (await lookUps()) - before.lookUps;
      const cores = (cpuSeconds(bench.mongodPid) - before.cpu) / seconds;
      aloneMs ??= valid.p99Ms;
      const answers = Object.entries(await flooding).map(([status, rate]) => `${status}: ${String(rate)}`);
      rows.add([
        ...[name, Math.round(perSecond(valid.acceptedRequests, valid))],
        ...[valid.p50Ms, valid.p99Ms, valid.p99Ms / aloneMs].map((value) => value.toFixed(1)),
        ...[
          valid.refusal ?? valid.retries,
          Math.round(lookedUp / seconds),
          cores.toFixed(2),
          answers.join(', '),
        ],
      ]);
    }
  } finally {
    unknown.stop();
    await mongo.close();
    await system.stop();
  }
  return { sections: [rows.markdown()] };
}

interface ServerStatus {
  readonly metrics: { readonly commands: { readonly aggregate: { readonly total: number } } };
}
