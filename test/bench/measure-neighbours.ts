import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { parseCell, type Cell } from './cells.ts';
import { jobId } from './job-ids.ts';
import type { LoadOrder, LoadReport } from './load/load-order.ts';
import { jobsFor, perSecond } from './load/send-load.ts';
import { startLoad, type Load } from './load/start-load.ts';
import { crowds, latencies, measureCrowds, orderOf } from './measure-crowds.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { row, table } from './report/table.ts';
import { openMongoJobs, type MongoJobs } from './storage/mongo-jobs.ts';
import { createCallers } from './systems/installation.ts';
import { callerHeaders, stopAll, type Caller, type System } from './systems/system.ts';

/** An account with its own jobs and its own sending process. */
interface Neighbour {
  readonly caller: Caller;
  readonly jobs: MongoJobs;
  readonly load: Load;
}

interface Street {
  readonly bench: Bench;
  readonly options: BenchOptions;
  readonly neighbours: readonly Neighbour[];
  /** Accounts without a process of their own. */
  readonly crowd: readonly Caller[];
}

/** Measures how accounts affect each other. Returns tables in Markdown. */
export async function measureNeighbours(bench: Bench, options: BenchOptions): Promise<string> {
  const { databaseUrl } = bench.servers;
  progress('creating accounts');
  const [first, second, third, ...crowd] = await createCallers(databaseUrl, Math.max(...crowds) + 3);
  if (first === undefined || second === undefined || third === undefined) return '';
  const neighbours = await Promise.all(
    [first, second, third].map(async (caller) => ({
      caller,
      jobs: await openMongoJobs(databaseUrl, caller.accountId),
      load: startLoad(),
    })),
  );
  const street = { bench, options, neighbours, crowd };
  try {
    const ofOne = await withSystem(street, 1, (system) => measureOneApi(street, system));
    const ofThree = await withSystem(street, 3, (system) => measureThreeApis(street, system));
    return [...ofOne, ofThree, await measureBacklogged(street)].join('\n');
  } finally {
    for (const { jobs, load } of neighbours) {
      load.stop();
      await jobs.close();
    }
  }
}

async function withSystem<Result>(
  { bench, neighbours }: Street,
  apis: number,
  measure: (system: System) => Promise<Result>,
) {
  const system = await bench.startOurs({ replicasOf: { 'api,relay': apis } });
  try {
    progress(`warming up ${String(apis)} apis`);
    for (const cell of ['1x64', '1000x16'])
      await sendKeyed(neighbours[0] as Neighbour, system, parseCell(cell), 3);
    return await measure(system);
  } finally {
    await system.stop();
  }
}

async function measureOneApi(street: Street, system: System): Promise<string[]> {
  return [
    await measureCrowds(street.bench, street.options, street.crowd, system),
    await measureFlooded(street, system),
  ];
}

/** Four callers of one account with 1 id, while another account sends something else on 256 connections. */
async function measureFlooded(street: Street, system: System): Promise<string> {
  const { options, neighbours } = street;
  const [live, flood] = neighbours as [Neighbour, Neighbour, Neighbour];
  const cell = parseCell('1x4');
  const { seconds } = options;
  const send = async () => sendUnkeyed(live, system, cell, seconds);
  await send();
  const alone = await send();
  const rows = [row(['nothing', ...liveCells(alone, alone), '', ''])];
  const deletionId = await deleteOne(flood, system);
  const floods: Record<string, Partial<LoadOrder>> = {
    'sandbox, 1 id': { path: '/v1-sandbox/json/jobs-delete', jobs: 1_000 },
    'status of a deletion': { path: `/v1/deletions/${deletionId}`, method: 'GET', jobs: 1 },
  };
  for (const [name, order] of Object.entries(floods)) {
    const firstJob = await flood.jobs.provide(1_000);
    const flooding = flood.load.run({
      ...orderOf(system, parseCell('1x256'), seconds + 1),
      headers: callerHeaders(flood.caller),
      firstJob,
      jobs: 1_000,
      repeat: true,
      ...order,
    });
    await delay(500);
    const beside = await send();
    const of = await flooding;
    rows.push(
      row([
        name,
        ...liveCells(beside, alone),
        Math.round(perSecond(of.acceptedRequests, of)),
        of.refusal ?? of.retries,
      ]),
    );
    progress(rows.at(-1) ?? '');
  }
  const heads = [
    '256 callers of another account',
    '1 id/s',
    'p50 ms',
    'p99 ms',
    '503',
    'p99 to alone',
    'their requests/s',
    'their 503',
  ];
  return table(heads, rows);
}

/** Small requests without keys, beside medium and large ones of other accounts. */
async function measureThreeApis(street: Street, system: System): Promise<string> {
  const { options, neighbours } = street;
  const [small, medium, large] = neighbours as [Neighbour, Neighbour, Neighbour];
  const { seconds } = options;
  const rows: string[] = [];
  const beside = async (
    name: string,
    of: readonly (readonly [Neighbour, string, boolean])[],
    smallCell: string,
  ) => {
    // Imports all jobs first: an import would slow down the others.
    await small.jobs.provide(jobsFor(parseCell(smallCell), seconds));
    for (const [{ jobs }, cell] of of) await jobs.provide(jobsFor(parseCell(cell), seconds));
    const [ofSmall, ...others] = await Promise.all([
      sendUnkeyed(small, system, parseCell(smallCell), seconds),
      ...of.map(([neighbour, cell, keyed]) =>
        keyed
          ? sendKeyed(neighbour, system, parseCell(cell), seconds)
          : sendUnkeyed(neighbour, system, parseCell(cell), seconds),
      ),
    ]);
    const jobs = others.map((report) => Math.round(perSecond(report.acceptedJobs, report))).join(', ');
    const refused = others.map((report) => report.refusal ?? report.retries).join(', ');
    rows.push(
      row([
        name,
        Math.round(perSecond(ofSmall.acceptedRequests, ofSmall)),
        ...latencies(ofSmall),
        jobs,
        refused,
      ]),
    );
    progress(rows.at(-1) ?? '');
  };
  await beside(
    '8 of 300 ids, 2 of 10,000',
    [
      [medium, '300x8', false],
      [large, '10000x2', false],
    ],
    '1x8',
  );
  await beside('1 of 10,000 ids', [[large, '10000x1', true]], '1x4');
  await beside('64 of 10,000 ids', [[large, '10000x64', true]], '1x4');
  return table(['beside, 3 apis', '1 id/s', 'p50 ms', 'p99 ms', '503', 'their jobs/s', 'their 503'], rows);
}

/** How long one job takes to be removed while the backlog of another account is drained by one worker. */
async function measureBacklogged({ bench, options, neighbours }: Street): Promise<string> {
  const [one, , large] = neighbours as [Neighbour, Neighbour, Neighbour];
  const backlog = options.backlog || 1_000_000;
  const system = await bench.startOurs({ roles: ['gateway', 'api,relay'] });
  const rows: string[] = [];
  try {
    const countOf = () => bench.settings.jobs.countOf(large.caller.accountId);
    const firstJob = await large.jobs.provide(backlog);
    const staying = (await countOf()) - backlog;
    progress(`accepting a backlog of ${String(backlog)} jobs`);
    const report = await large.load.run({
      ...orderOf(system, parseCell('1000x16'), 3_600),
      headers: callerHeaders(large.caller),
      firstJob,
      jobs: backlog,
      keyPrefix: 'neighbours-backlog',
    });
    large.jobs.take(report);
    const worker = await bench.startOurs({ roles: ['worker'] });
    const startedAtMs = performance.now();
    const left = async () => (await countOf()) - staying;
    try {
      for (let at = await left(); at > 0; at = await left()) {
        const sentAtMs = performance.now();
        const deletionId = await deleteOne(one, system);
        await completed(one, system, deletionId);
        rows.push(row([Math.round(at / 1_000), ((performance.now() - sentAtMs) / 1_000).toFixed(2)]));
        progress(rows.at(-1) ?? '');
        await delay(1_000);
      }
      const seconds = (performance.now() - startedAtMs) / 1_000;
      rows.push(
        row([
          `drained in ${seconds.toFixed(1)} s, ${Math.round(report.acceptedJobs / seconds).toString()} jobs/s`,
          '',
        ]),
      );
      progress(rows.at(-1) ?? '');
    } finally {
      await stopAll(worker.processes);
    }
  } finally {
    await system.stop();
  }
  return table(['backlog of another account, thousands of jobs', 'one job removed after s'], rows);
}

async function deleteOne({ caller, jobs }: Neighbour, system: System): Promise<string> {
  const firstJob = await jobs.provide(1);
  jobs.take({ acceptedJobs: 1, issuedJobs: 1 });
  const response = await fetch(`http://127.0.0.1:${String(system.ports[0])}${system.path('json')}`, {
    method: 'DELETE',
    headers: { ...callerHeaders(caller), 'Content-Type': 'application/json' },
    body: JSON.stringify({ jobs: { job: [{ id: jobId(firstJob) }] } }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return response.headers.get('deletion-id') ?? '';
}

async function completed({ caller }: Neighbour, system: System, deletionId: string): Promise<void> {
  const url = `http://127.0.0.1:${String(system.ports[0])}/v1/deletions/${deletionId}?wait=30`;
  for (;;) {
    const response = await fetch(url, { headers: callerHeaders(caller) });
    const body = (await response.json()) as { state?: string };
    if (body.state === 'completed') return;
  }
}

async function sendUnkeyed(
  neighbour: Neighbour,
  system: System,
  cell: Cell,
  seconds: number,
): Promise<LoadReport> {
  return send(neighbour, system, cell, seconds, {});
}

let keys = 0;

async function sendKeyed(
  neighbour: Neighbour,
  system: System,
  cell: Cell,
  seconds: number,
): Promise<LoadReport> {
  return send(neighbour, system, cell, seconds, { keyPrefix: `neighbours-${String(keys++)}` });
}

async function send(
  { caller, jobs, load }: Neighbour,
  system: System,
  cell: Cell,
  seconds: number,
  more: Pick<LoadOrder, 'keyPrefix'>,
): Promise<LoadReport> {
  const count = jobsFor(cell, seconds);
  const firstJob = await jobs.provide(count);
  const report = await load.run({
    ...orderOf(system, cell, seconds),
    headers: callerHeaders(caller),
    firstJob,
    jobs: count,
    ...more,
  });
  jobs.take({ acceptedJobs: report.acceptedJobs, issuedJobs: count });
  return report;
}

function liveCells(report: LoadReport, alone: LoadReport): (string | number)[] {
  return [
    Math.round(perSecond(report.acceptedRequests, report)),
    ...latencies(report),
    (report.p99Ms / alone.p99Ms).toFixed(1),
  ];
}
