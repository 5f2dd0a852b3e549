import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import type { JobOrder, LoadReport } from './load/load-order.ts';
import { perSecond, sendLoad, type Sender } from './load/send-load.ts';
import { startLoad } from './load/start-load.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { row, table } from './report/table.ts';
import { openMongoJobs } from './storage/mongo-jobs.ts';
import { createCaller } from './systems/installation.ts';
import type { System } from './systems/system.ts';

const orders: readonly JobOrder[] = ['forward', 'reverse', 'random'];
const largest = 10_000;

interface Flood {
  readonly apis: number;
  readonly order: JobOrder;
  readonly callers: number;
  readonly large: LoadReport;
  readonly small: LoadReport;
}

/**
 * Measures callers with 10,000 ids a request, beside another account with 1 id a request on four connections. Compares each
 * flood with one caller on as many apis, in the same order. Returns a table in Markdown.
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
      const floods = await runFloods(system, { greedy, modest, apis }, options);
      const rows = floods.map((flood) => rowOf(flood, floods));
      return table(heads, rows);
    } finally {
      await system.stop();
    }
  } finally {
    modest.load.stop();
    await otherJobs.close();
  }
}

interface Sides {
  readonly greedy: Sender;
  readonly modest: Sender;
  readonly apis: number;
}

async function runFloods(system: System, sides: Sides, options: BenchOptions): Promise<Flood[]> {
  const { greedy, modest, apis } = sides;
  const { seconds } = options;
  const sizes = [1, ...options.floods];
  const wanted = orders.flatMap((order) => sizes.map((callers) => ({ order, callers })));
  const floods: Flood[] = [];
  for (const { order, callers } of wanted) {
    progress(`${String(callers)} callers with 10,000 ids, ${order}, ${String(apis)} apis`);
    const [large, small] = await Promise.all([
      sendLoad(greedy, system, { cell: parseCell(`${String(largest)}x${String(callers)}`), order, seconds }),
      sendLoad(modest, system, { cell: parseCell('1x4'), seconds }),
    ]);
    const flood = { apis, order, callers, large, small };
    floods.push(flood);
    progress(rowOf(flood, floods));
  }
  return floods;
}

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

function rowOf({ apis, order, callers, large, small }: Flood, floods: readonly Flood[]): string {
  const jobsPerSecond = perSecond(large.acceptedJobs, large);
  const alone = floods.find((flood) => flood.callers === 1 && flood.order === order)?.large;
  const share = jobsPerSecond / (alone === undefined ? NaN : perSecond(alone.acceptedJobs, alone));
  const ofFlood = [apis, order, callers, Math.round(jobsPerSecond), share.toFixed(2), large.retries];
  const smallPerSecond = Math.round(perSecond(small.acceptedJobs, small));
  const ofOther = [smallPerSecond, Math.round(small.p50Ms), Math.round(small.p99Ms)];
  return row([...ofFlood, ...ofOther, small.refusal ?? small.retries]);
}
