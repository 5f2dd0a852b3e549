import { setTimeout as delay } from 'node:timers/promises';
import { type Line, type MongoLine, openLine, openMongoLine } from '../servers/line.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { parseCell } from './cells.ts';
import { jobsFor, perSecond, sendLoad } from './load/load.ts';
import { sharedClockMs } from './load/orders.ts';
import { openTable, type Report } from './report/report.ts';
import { untilRemoved, warmUp } from './run-cell.ts';
import type { System } from './systems.ts';

const cell = parseCell('1x32');
const recoverySeconds = 4;

/**
 * Measures 32 callers with 1 id each, while apis, a worker, MongoDB or Kafka are sick. Compares each sickness with the load
 * right before it.
 */
export async function measureSick(bench: Bench, { seconds }: BenchOptions): Promise<Report> {
  const rows = openTable([
    ...['sick', 'requests/s before', 'while', 'share', '503 at first', '503 later', 'p99 ms'],
    'all removed after s',
  ]);
  for (const start of [startSickApis, startSickParts]) {
    const sick = await start(bench);
    try {
      await warmUp(bench.settings, sick.system);
      for (const sickness of sick.sicknesses)
        rows.add([sickness.name, ...(await measureOne(bench, sick, sickness, seconds))]);
    } finally {
      await sick.stop();
    }
  }
  return { sections: [rows.markdown()] };
}

async function measureOne(
  { settings }: Bench,
  { system }: SickSystem,
  { detectionSeconds, fall, recover }: Sickness,
  seconds: number,
): Promise<(string | number)[]> {
  const { jobs } = settings;
  const send = (forSeconds: number) => sendLoad(settings, system, { cell, seconds: forSeconds });
  // Imports all jobs first: a sick MongoDB accepts no import.
  await jobs.provide(jobsFor(cell, 2 * seconds + detectionSeconds + recoverySeconds));
  const before = await send(seconds);
  // Requests are in flight when the part becomes sick.
  const caught = send(detectionSeconds);
  await delay(100);
  await fall();
  const sickSinceMs = sharedClockMs();
  const first = await caught;
  const during = await send(seconds);
  const removedAtMs = await untilRemoved(jobs, during);
  recover();
  await untilRemoved(jobs, await send(recoverySeconds));
  const rateBefore = perSecond(before.acceptedRequests, before);
  const rateDuring = perSecond(during.acceptedRequests, during);
  return [
    ...[Math.round(rateBefore), Math.round(rateDuring), (rateDuring / rateBefore).toFixed(2)],
    ...[first, during].map(({ refusal, retries }) => refusal ?? retries),
    ...[Math.round(during.p99Ms), ((removedAtMs - sickSinceMs) / 1_000).toFixed(1)],
  ];
}

interface Sickness {
  readonly name: string;
  /** Seconds in which requests may hang before the sickness is detected. */
  readonly detectionSeconds: number;
  fall(): void | Promise<void>;
  recover(): void;
}

/** A running system whose parts can become sick. */
interface SickSystem {
  readonly system: System;
  readonly sicknesses: readonly Sickness[];
  stop(): Promise<void>;
}

interface Api {
  readonly pid: number;
  /** Network line from the api to MongoDB. */
  readonly database: MongoLine;
  /** Network line from the gateway to the api. */
  readonly calls: Line;
}

const apiCount = 3;

/** Starts a gateway, three apis behind lines, and a worker. */
async function startSickApis(bench: Bench): Promise<SickSystem> {
  const databases = await Promise.all(
    Array.from({ length: apiCount }, () => openMongoLine(bench.databaseUrl)),
  );
  const lines: Line[] = [];
  const system = await bench.startOurs({
    replicasOf: { 'api,relay': apiCount },
    envOf: (role, index) => (role === 'api,relay' ? { DATABASE_URL: databases[index]?.url ?? '' } : {}),
    portFor: async (port, index) => {
      const line = await openLine({ port });
      lines[index] = line;
      return line.port;
    },
  });
  const apis = processesOf(system, 'api,relay').map((pid, index): Api => {
    const [database, calls] = [databases[index], lines[index]];
    if (database === undefined || calls === undefined) throw new Error('an api has no lines');
    return { pid, database, calls };
  });
  return {
    system,
    sicknesses: sicknessesOf(apis),
    stop: async () => {
      await system.stop();
      await Promise.all([...databases, ...lines].map((line) => line.close()));
    },
  };
}

function sicknessesOf(apis: readonly Api[]): readonly Sickness[] {
  const ofFirst = (
    count: number,
    name: string,
    fall: (api: Api) => void,
    recover: (api: Api) => void,
  ): Sickness => ({
    name: `${String(count)} of 3 apis ${name}`,
    detectionSeconds: 2,
    fall: () => apis.slice(0, count).forEach(fall),
    recover: () => apis.slice(0, count).forEach(recover),
  });
  const hang = ({ pid }: Api) => void process.kill(pid, 'SIGSTOP');
  const goOn = ({ pid }: Api) => void process.kill(pid, 'SIGCONT');
  return [
    { name: 'none', detectionSeconds: 2, fall: () => undefined, recover: () => undefined },
    ofFirst(1, 'hangs', hang, goOn),
    ofFirst(2, 'hang', hang, goOn),
    ofFirst(
      1,
      'has no MongoDB',
      ({ database }) => database.cut(),
      ({ database }) => database.mend(),
    ),
    ofFirst(
      1,
      'answers 2 s late',
      ({ calls }) => calls.slow('answers', 2_000),
      ({ calls }) => calls.mend(),
    ),
  ];
}

/** Starts a gateway, an api and two workers, all on the replica set of three members. */
async function startSickParts(bench: Bench): Promise<SickSystem> {
  const { mongo, kafkaLine } = bench;
  const system = await bench.startOurs({ replicasOf: { worker: 2 } });
  const [worker] = processesOf(system, 'worker');
  if (worker === undefined || kafkaLine === undefined)
    throw new Error('the worker or the line to Kafka is missing');
  const sicknesses: readonly Sickness[] = [
    {
      name: '1 of 2 workers hangs',
      detectionSeconds: 2,
      fall: () => void process.kill(worker, 'SIGSTOP'),
      recover: () => void process.kill(worker, 'SIGCONT'),
    },
    {
      // MongoDB elects another primary after 10 to 12 s (electionTimeoutMillis).
      name: 'the MongoDB primary of 3 members hangs',
      detectionSeconds: 15,
      fall: async () => (await mongo.primary()).freeze(),
      recover: () => mongo.members.forEach((member) => member.resume()),
    },
    {
      name: 'the open connections to Kafka swallow everything',
      detectionSeconds: 2,
      fall: () => kafkaLine.loseConnections(),
      recover: () => kafkaLine.mend(),
    },
  ];
  return { system, sicknesses, stop: () => system.stop() };
}

function processesOf({ processes }: System, role: string): readonly number[] {
  return processes.filter(({ name }) => name.startsWith(role)).map(({ pid }) => pid);
}
