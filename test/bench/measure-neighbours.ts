import { setTimeout as delay } from 'node:timers/promises';
import { createCallers, type Bench, type BenchOptions } from './bench.ts';
import { parseCell, type Cell } from './cells.ts';
import { openMongoJobs, type MongoJobs } from './jobs.ts';
import { jobsFor, perSecond, sendLoad, startLoad, type Sender, type Sending } from './load/load.ts';
import { jobId, type LoadReport } from './load/orders.ts';
import { stopAll } from './processes.ts';
import { progress } from './progress.ts';
import { openTable, section, whole, type Report } from './report/report.ts';
import { callerHeaders, type Caller, type System } from './systems.ts';

/** An account with its own jobs and its own sending process. */
interface Neighbour extends Sender {
  readonly jobs: MongoJobs;
}

interface Street {
  readonly bench: Bench;
  readonly seconds: number;
  readonly one: Neighbour;
  readonly second: Neighbour;
  readonly third: Neighbour;
}

/** Numbers of accounts that send at the same time. */
const crowds = [1, 50, 500, 5_000];
const latencyHeads = ['p50 ms', 'p99 ms', '503'];

/** Measures how accounts affect each other. */
export async function measureNeighbours(
  bench: Bench,
  { seconds }: BenchOptions,
  backlog: string,
): Promise<Report> {
  const { databaseUrl } = bench;
  progress('creating accounts');
  const callers = await createCallers(databaseUrl, Math.max(...crowds) + 3);
  const open = async (index: number): Promise<Neighbour> => {
    const caller = callers[index] as Caller;
    return { caller, jobs: await openMongoJobs(databaseUrl, caller.accountId), load: startLoad() };
  };
  const [one, second, third] = [await open(0), await open(1), await open(2)];
  const street = { bench, seconds, one, second, third };
  try {
    return {
      sections: [
        ...(await withSystem(street, 1, async (system) => [
          section('Many accounts', await measureCrowds(street, system, callers.slice(3))),
          section("Another account's flood", await measureFlooded(street, system)),
        ])),
        ...(await withSystem(street, 3, async (system) => [
          section('Large requests of others', await measureLarge(street, system)),
        ])),
        section("Another account's backlog", await measureBacklogged(street, Number(backlog))),
      ],
    };
  } finally {
    for (const { jobs, load } of [one, second, third]) {
      load.stop();
      await jobs.close();
    }
  }
}

async function withSystem(
  { bench, one }: Street,
  apis: number,
  measure: (system: System) => Promise<string[]>,
): Promise<string[]> {
  const system = await bench.startOurs({ replicasOf: { 'api,relay': apis } });
  try {
    progress(`warming up ${String(apis)} apis`);
    for (const cell of ['1x64', '1000x16'])
      await sendLoad(one, system, { cell: parseCell(cell), seconds: 3 });
    return await measure(system);
  } finally {
    await system.stop();
  }
}

/** 1-id requests of many accounts, compared with those of one. */
async function measureCrowds({ bench, seconds }: Street, system: System, crowd: readonly Caller[]) {
  const rows = openTable(['in flight', 'accounts', 'requests/s', 'to one account', ...latencyHeads]);
  const { jobs } = bench.settings;
  const sender = { ...bench.settings, load: startLoad() };
  let nextJob = 900_000_000;
  try {
    for (const inFlight of [64, 512]) {
      const cell = parseCell(`1x${String(inFlight)}`);
      let alone: number | undefined;
      for (const count of crowds) {
        const callers = crowd.slice(0, count);
        const send = async (forSeconds: number) => {
          const total = jobsFor(cell, forSeconds);
          const ofEach = Math.ceil(total / count);
          const accountIds = callers.map(({ accountId }) => accountId);
          const firstJob = nextJob;
          nextJob += ofEach;
          await jobs.provideTo(accountIds, firstJob, ofEach);
          return sender.load.run({
            ports: system.ports,
            path: system.path('json'),
            headers: {},
            accounts: callers.map(callerHeaders),
            cell,
            seconds: forSeconds,
            firstJob,
            jobs: total,
            keyPrefix: `crowd-${String(firstJob)}`,
          });
        };
        // Not counted: new callers wait for the check of their credentials.
        await send(3);
        const report = await send(seconds);
        const rate = perSecond(report.acceptedRequests, report);
        alone ??= rate;
        rows.add([inFlight, count, Math.round(rate), (rate / alone).toFixed(2), ...latencies(report)]);
        await untilIdle(jobs);
      }
    }
  } finally {
    sender.load.stop();
  }
  return rows.markdown();
}

/** Waits until no job of the crowd waits for its removal, so that the next measurement starts idle. */
async function untilIdle(jobs: MongoJobs): Promise<void> {
  for (let last = -1; ;) {
    const now = await jobs.remaining();
    if (now === last) return;
    last = now;
    await delay(500);
  }
}

/** Four callers of one account with 1 id, while another account sends something else on 256 connections. */
async function measureFlooded({ seconds, one, second }: Street, system: System): Promise<string> {
  const rows = openTable([
    ...['256 callers of another account', '1 id/s', ...latencyHeads],
    ...['p99 to alone', 'their requests/s', 'their 503'],
  ]);
  const send = () => sendLoad(one, system, { cell: parseCell('1x4'), seconds, keys: false });
  await send();
  const alone = await send();
  const cellsOf = (report: LoadReport) => [
    Math.round(perSecond(report.acceptedRequests, report)),
    ...latencies(report),
    (report.p99Ms / alone.p99Ms).toFixed(1),
  ];
  rows.add(['nothing', ...cellsOf(alone), '', '']);
  const deletionId = await deleteOne(second, system);
  const floods: Record<string, Partial<Sending>> = {
    'sandbox, 1 id': { path: '/v1-sandbox/json/jobs-delete', jobs: 1_000 },
    'status of a deletion': { path: `/v1/deletions/${deletionId}`, method: 'GET', jobs: 1 },
  };
  for (const [name, more] of Object.entries(floods)) {
    const flood = { cell: parseCell('1x256'), seconds: seconds + 1, keys: false, repeat: true, ...more };
    const flooding = sendLoad(second, system, flood);
    await delay(500);
    const beside = await send();
    const of = await flooding;
    const ofFlood = [Math.round(perSecond(of.acceptedRequests, of)), of.refusal ?? of.retries];
    rows.add([name, ...cellsOf(beside), ...ofFlood]);
  }
  return rows.markdown();
}

/** Small requests without keys, beside medium and large ones of other accounts. */
async function measureLarge({ seconds, one, second, third }: Street, system: System): Promise<string> {
  const rows = openTable(['beside, 3 apis', '1 id/s', ...latencyHeads, 'their jobs/s', 'their 503']);
  const beside = async (name: string, small: Cell, others: readonly [Neighbour, Sending][]) => {
    // Imports all jobs first: an import would slow down the others.
    await one.jobs.provide(jobsFor(small, seconds));
    for (const [{ jobs }, { cell }] of others) await jobs.provide(jobsFor(cell, seconds));
    const [ofSmall, ...reports] = await Promise.all([
      sendLoad(one, system, { cell: small, seconds, keys: false }),
      ...others.map(([neighbour, sending]) => sendLoad(neighbour, system, sending)),
    ]);
    rows.add([
      ...[name, Math.round(perSecond(ofSmall.acceptedRequests, ofSmall)), ...latencies(ofSmall)],
      reports.map((report) => Math.round(perSecond(report.acceptedJobs, report))).join(', '),
      reports.map(({ refusal, retries }) => refusal ?? retries).join(', '),
    ]);
  };
  await beside('8 of 300 ids, 2 of 10,000', parseCell('1x8'), [
    [second, { cell: parseCell('300x8'), seconds, keys: false }],
    [third, { cell: parseCell('10000x2'), seconds, keys: false }],
  ]);
  for (const callers of ['1', '64'])
    await beside(`${callers} of 10,000 ids`, parseCell('1x4'), [
      [third, { cell: parseCell(`10000x${callers}`), seconds }],
    ]);
  return rows.markdown();
}

/** How long one job takes to be removed while the backlog of another account is drained by one worker. */
async function measureBacklogged({ bench, one, third }: Street, backlog: number): Promise<string> {
  const rows = openTable(['backlog of another account, thousands of jobs', 'one job removed after s']);
  const system = await bench.startOurs({ roles: ['gateway', 'api,relay'] });
  try {
    const countOf = () => third.jobs.countOf(third.caller.accountId);
    await third.jobs.provide(backlog);
    const staying = (await countOf()) - backlog;
    progress(`accepting a backlog of ${String(backlog)} jobs`);
    const sending = { cell: parseCell('1000x16'), seconds: 3_600, jobs: backlog };
    const { acceptedJobs } = await sendLoad(third, system, sending);
    const worker = await bench.startOurs({ roles: ['worker'] });
    const startedAtMs = performance.now();
    const secondsSince = (ms: number) => (performance.now() - ms) / 1_000;
    const left = async () => (await countOf()) - staying;
    try {
      for (let at = await left(); at > 0; at = await left()) {
        const sentAtMs = performance.now();
        await untilCompleted(one, system, await deleteOne(one, system));
        rows.add([Math.round(at / 1_000), secondsSince(sentAtMs).toFixed(2)]);
        await delay(1_000);
      }
      const drained = secondsSince(startedAtMs);
      rows.add([`drained in ${drained.toFixed(1)} s, ${whole(acceptedJobs / drained)} jobs/s`, '']);
    } finally {
      await stopAll(worker.processes);
    }
  } finally {
    await system.stop();
  }
  return rows.markdown();
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

async function untilCompleted({ caller }: Neighbour, system: System, deletionId: string): Promise<void> {
  const url = `http://127.0.0.1:${String(system.ports[0])}/v1/deletions/${deletionId}?wait=30`;
  for (;;) {
    const response = await fetch(url, { headers: callerHeaders(caller) });
    const body = (await response.json()) as { state?: string };
    if (body.state === 'completed') return;
  }
}

function latencies({ p50Ms, p99Ms, retries, refusal }: LoadReport): (string | number)[] {
  return [p50Ms.toFixed(1), p99Ms.toFixed(1), refusal?.slice(0, 200) ?? retries];
}
