import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { JobOrder, LoadReport } from './load/load-order.ts';
import { startLoad, type Load } from './load/start-load.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { openMongoJobs, type MongoJobs } from './storage/mongo-jobs.ts';
import { createCaller } from './systems/installation.ts';
import { callerHeaders, type Caller, type System } from './systems/system.ts';

const orders: readonly JobOrder[] = ['forward', 'reverse', 'random'];
const largest = 10_000;

/** One side of a flood: who asks, for which jobs, from which process. */
interface Side {
  readonly caller: Caller;
  readonly jobs: MongoJobs;
  readonly load: Load;
}

interface Flood {
  readonly apis: number;
  readonly order: JobOrder;
  readonly callers: number;
  readonly large: LoadReport;
  readonly small: LoadReport;
}

/**
 * Callers with 10,000 ids each, and beside them another account that sends 1 id at a time from four connections. Each flood
 * is compared with one caller on the same number of apis, in the same order.
 * @returns a table in Markdown
 */
export async function measureFloods(bench: Bench, options: BenchOptions): Promise<string> {
  const { caller, jobs, load } = bench.settings;
  const other = await createCaller(bench.env, 'modest');
  const otherJobs = await openMongoJobs(bench.servers.databaseUrl, other.accountId);
  const greedy = { caller, jobs, load };
  const modest = { caller: other, jobs: otherJobs, load: startLoad() };
  const apis = options.replicas ?? 2;
  try {
    const system = await bench.startOurs({ replicasOf: { 'api,relay': apis } });
    try {
      return table(await runFloods(system, { greedy, modest, apis }, options));
    } finally {
      await system.stop();
    }
  } finally {
    modest.load.stop();
    await otherJobs.close();
  }
}

interface Sides {
  readonly greedy: Side;
  readonly modest: Side;
  readonly apis: number;
}

async function runFloods(system: System, sides: Sides, options: BenchOptions): Promise<Flood[]> {
  const { greedy, modest, apis } = sides;
  const sizes = [1, ...options.floods];
  const wanted = orders.flatMap((order) => sizes.map((callers) => ({ order, callers })));
  const floods: Flood[] = [];
  for (const { order, callers } of wanted) {
    progress(`${String(callers)} callers with 10,000 ids, ${order}, ${String(apis)} apis`);
    const [large, small] = await Promise.all([
      send(greedy, system, { cell: `${String(largest)}x${String(callers)}`, order, options }),
      send(modest, system, { cell: '1x4', order: 'forward', options }),
    ]);
    const flood = { apis, order, callers, large, small };
    floods.push(flood);
    progress(rowOf(flood, floods));
  }
  return floods;
}

interface Sending {
  readonly cell: string;
  readonly order: JobOrder;
  readonly options: BenchOptions;
}

let sent = 0;

async function send({ caller, jobs, load }: Side, system: System, sending: Sending): Promise<LoadReport> {
  const cell = parseCell(sending.cell);
  const { seconds } = sending.options;
  // More than any machine here accepts in that time.
  const count = cell.ids === 1 ? 5_000 * seconds : 30_000 * seconds;
  const firstJob = await jobs.provide(count);
  const report = await load.run({
    ports: system.ports,
    path: system.path('json'),
    headers: callerHeaders(caller),
    cell,
    firstJob,
    jobs: count,
    order: sending.order,
    seconds,
    keyPrefix: `flood-${String(process.pid)}-${String(sent++)}`,
  });
  jobs.take({ acceptedJobs: report.acceptedJobs, issuedJobs: count });
  return report;
}

function table(floods: readonly Flood[]): string {
  const heads = [
    'apis',
    'order',
    'callers',
    'jobs/s',
    'share of one',
    '503',
    '1 id/s',
    'p50 ms',
    'p99 ms',
    '503',
  ];
  const rows = floods.map((flood) => rowOf(flood, floods));
  return [`| ${heads.join(' | ')} |`, `| ${heads.map(() => '---').join(' | ')} |`, ...rows, ''].join('\n');
}

function rowOf({ apis, order, callers, large, small }: Flood, floods: readonly Flood[]): string {
  const alone = floods.find((flood) => flood.callers === 1 && flood.order === order);
  const share = perSecond(large) / (alone === undefined ? NaN : perSecond(alone.large));
  const ofFlood = [apis, order, callers, Math.round(perSecond(large)), share.toFixed(2), large.retries];
  const ofOther = [Math.round(perSecond(small)), Math.round(small.p50Ms), Math.round(small.p99Ms)];
  return `| ${[...ofFlood, ...ofOther, small.refusal ?? small.retries].join(' | ')} |`;
}

function perSecond({ acceptedJobs, startedAtMs, endedAtMs }: LoadReport): number {
  return (acceptedJobs * 1_000) / (endedAtMs - startedAtMs);
}
