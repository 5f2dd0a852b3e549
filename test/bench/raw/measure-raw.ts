import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { parseCell } from '../cells.ts';
import { builtFolder } from '../folders.ts';
import { perSecond } from '../load/load.ts';
import { startProcess } from '../processes.ts';
import { callerHeaders } from '../systems.ts';
import type { RawOrder } from './raw-limits.ts';

export type RawFigures = Readonly<Record<string, number>>;

/**
 * Measures MongoDB, kafkajs, grpc-js, Express, Node and the parsers alone, on the same machine and servers. Deletes
 * some jobs.
 */
export async function measureRaw(bench: Bench, count: number): Promise<RawFigures> {
  const { caller, jobs } = bench.settings;
  const seconds = bench.settings.seconds / 3;
  const echo = await startProcess({
    name: 'echo',
    args: [join(builtFolder, 'raw/echo-servers.js')],
    env: {},
    logFolder: bench.logFolder,
    ready: /listening on ([\d,]+)/,
  });
  const [expressPort = 0, plainPort = 0, grpcPort = 0] = echo.said.split(',').map(Number);
  try {
    const limits = await inProcess({
      databaseUrl: bench.databaseUrl,
      accountId: caller.accountId,
      firstJob: await jobs.provide(count),
      jobs: count,
      kafkaBrokers: bench.kafkaBrokers,
      topic: bench.rawTopic,
      grpcPort,
      seconds,
    });
    jobs.take({ issuedJobs: count, acceptedJobs: count });
    return {
      ...limits,
      'Express echo, 64 in flight, requests/s': await echoRate(expressPort, bench.settings, seconds),
      'node:http echo, 64 in flight, requests/s': await echoRate(plainPort, bench.settings, seconds),
    };
  } finally {
    await echo.stop();
  }
}

async function inProcess(order: RawOrder): Promise<Record<string, number>> {
  const child = fork(join(builtFolder, 'raw/raw-limits.js'), { stdio: ['ignore', 2, 2, 'ipc'] });
  child.send(order);
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process that measures the raw limits failed');
  });
  ended.catch(() => undefined);
  const [figures] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, number>];
  return figures;
}

async function echoRate(port: number, { load, caller }: Bench['settings'], seconds: number): Promise<number> {
  const report = await load.run({
    ports: [port],
    path: '/jobs',
    headers: callerHeaders(caller),
    cell: parseCell('1x64'),
    firstJob: 0,
    jobs: 40_000,
    seconds,
    keyPrefix: 'echo',
  });
  return perSecond(report.acceptedRequests, report);
}
