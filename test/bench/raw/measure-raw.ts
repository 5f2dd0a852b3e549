import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtFolder } from '../folders.ts';
import { startProcess } from '../process/start-process.ts';
import type { RunSettings } from '../run-cell.ts';
import type { BenchServers } from '../servers.ts';
import { callerHeaders } from '../systems/system.ts';
import type { RawOrder } from './raw-limits.ts';

export type RawFigures = Readonly<Record<string, number>>;

/** Measures MongoDB, kafkajs, grpc-js, Express, Node and the parsers alone, on the same machine and servers. */
export async function measureRaw(
  servers: BenchServers,
  settings: RunSettings,
  options: { readonly topic: string; readonly logFolder: string; readonly jobs: number },
): Promise<RawFigures> {
  const { caller, jobs } = settings;
  const seconds = settings.seconds / 3;
  const echo = await startProcess({
    name: 'echo',
    args: [join(builtFolder, 'raw/echo-servers.js')],
    env: {},
    logFolder: options.logFolder,
    ready: /listening on ([\d,]+)/,
  });
  const [expressPort = 0, plainPort = 0, grpcPort = 0] = echo.said.split(',').map(Number);
  try {
    const firstJob = await jobs.provide(options.jobs);
    const limits = await inProcess({
      databaseUrl: servers.databaseUrl,
      accountId: caller.accountId,
      firstJob,
      jobs: options.jobs,
      kafkaBrokers: servers.kafkaBrokers,
      topic: options.topic,
      grpcPort,
      seconds,
    });
    jobs.take({ issuedJobs: options.jobs, acceptedJobs: options.jobs });
    return {
      ...limits,
      'Express echo, 64 in flight, requests/s': await echoRate(expressPort, settings, seconds),
      'node:http echo, 64 in flight, requests/s': await echoRate(plainPort, settings, seconds),
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

async function echoRate(port: number, { load, caller }: RunSettings, seconds: number): Promise<number> {
  const report = await load.run({
    ports: [port],
    path: '/jobs',
    headers: callerHeaders(caller),
    cell: { ids: 1, inFlight: 64, format: 'json' },
    firstJob: 0,
    jobs: 40_000,
    seconds,
    keyPrefix: 'echo',
  });
  return (report.acceptedRequests * 1_000) / (report.endedAtMs - report.startedAtMs);
}
