import { openDelayLine, type DelayLine } from '../servers/delay-line.ts';
import { openLine, type Line } from '../servers/failing-line.ts';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { LoadReport } from './load/load-order.ts';
import { warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { callerHeaders, type System } from './systems/system.ts';

const apiCount = 3;
const cell = parseCell('1x32');
/** Requests may be caught for so long. */
const detectionSeconds = 2;

/** One api, and the connections that can fail. */
interface Api {
  readonly pid: number;
  readonly database: Line;
  readonly calls: DelayLine;
}

interface Sickness {
  readonly name: string;
  readonly count: number;
  fall(api: Api): void;
  recover(api: Api): void;
}

const stop = ({ pid }: Api) => void process.kill(pid, 'SIGSTOP');
const resume = ({ pid }: Api) => void process.kill(pid, 'SIGCONT');
const sicknesses: readonly Sickness[] = [
  { name: 'none', count: 0, fall: () => undefined, recover: () => undefined },
  { name: 'hangs', count: 1, fall: stop, recover: resume },
  { name: 'hang', count: 2, fall: stop, recover: resume },
  {
    name: 'has no MongoDB',
    count: 1,
    fall: ({ database }) => database.cut(),
    recover: ({ database }) => database.mend(),
  },
  {
    name: 'answers 2 s late',
    count: 1,
    fall: ({ calls }) => calls.delayAnswers(2_000),
    recover: ({ calls }) => calls.delayAnswers(0),
  },
];

/**
 * 32 callers with 1 id each, one gateway and three apis. Each sickness is compared with the load right before it.
 * @returns a table in Markdown
 */
export async function measureSick(bench: Bench, options: BenchOptions): Promise<string> {
  const databases = await Promise.all(
    Array.from({ length: apiCount }, () => openLine(bench.servers.databaseUrl)),
  );
  const lines: DelayLine[] = [];
  const system = await bench.startOurs({
    replicasOf: { 'api,relay': apiCount },
    envOf: (role, index) => (role === 'api,relay' ? { DATABASE_URL: databases[index]?.url ?? '' } : {}),
    portFor: async (port, index) => {
      const line = await openDelayLine(port);
      lines[index] = line;
      return line.port;
    },
  });
  const processes = system.processes.filter(({ name }) => name.startsWith('api,relay'));
  const apis = processes.map(({ pid }, index): Api => {
    const [database, calls] = [databases[index], lines[index]];
    if (database === undefined || calls === undefined) throw new Error('an api has no lines');
    return { pid, database, calls };
  });
  const rows: string[] = [];
  try {
    await warmUp(bench, system);
    for (const sickness of sicknesses) {
      rows.push(await measureOne(bench, system, options.seconds, apis, sickness));
      progress(rows.at(-1) ?? '');
    }
  } finally {
    await system.stop();
    await Promise.all([...databases, ...lines].map((line) => line.close()));
  }
  const heads = ['sick of 3', 'requests/s before', 'while', 'share', '503 at first', '503 later', 'p99 ms'];
  return [`| ${heads.join(' | ')} |`, `| ${heads.map(() => '---').join(' | ')} |`, ...rows, ''].join('\n');
}

async function measureOne(
  bench: Bench,
  system: System,
  seconds: number,
  apis: readonly Api[],
  { name, count, fall, recover }: Sickness,
): Promise<string> {
  const sick = apis.slice(0, count);
  const before = await send(bench, system, seconds);
  // Some requests have to be in flight when it falls.
  const caught = send(bench, system, detectionSeconds);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const api of sick) fall(api);
  const first = await caught;
  const during = await send(bench, system, seconds);
  for (const api of sick) recover(api);
  await send(bench, system, 2 * detectionSeconds);
  const [then, now] = [perSecond(before), perSecond(during)];
  const figures = [Math.round(then), Math.round(now), (now / then).toFixed(2)];
  const told = [first.retries, during.refusal ?? during.retries, Math.round(during.p99Ms)];
  return `| ${[`${String(count)} ${name}`, ...figures, ...told].join(' | ')} |`;
}

let sent = 0;

async function send({ settings }: Bench, system: System, seconds: number): Promise<LoadReport> {
  const { caller, jobs, load } = settings;
  const count = 5_000 * seconds;
  const firstJob = await jobs.provide(count);
  const report = await load.run({
    ports: system.ports,
    path: system.path('json'),
    headers: callerHeaders(caller),
    cell,
    firstJob,
    jobs: count,
    seconds,
    keyPrefix: `sick-${String(process.pid)}-${String(sent++)}`,
  });
  jobs.take({ acceptedJobs: report.acceptedJobs, issuedJobs: count });
  return report;
}

function perSecond({ acceptedRequests, startedAtMs, endedAtMs }: LoadReport): number {
  return (acceptedRequests * 1_000) / (endedAtMs - startedAtMs);
}
