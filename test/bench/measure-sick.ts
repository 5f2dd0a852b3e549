import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { parseCell } from './cells.ts';
import { sharedClockMs, type LoadReport } from './load/load-order.ts';
import { jobsFor, perSecond, sendLoad } from './load/send-load.ts';
import { warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';
import { progress } from './progress.ts';
import { row, table } from './report/table.ts';
import { startSickApis, startSickParts, type Sickness, type SickSystem } from './sicknesses.ts';

const cell = parseCell('1x32');
const recoverySeconds = 4;
/** Longer than a worker's Kafka session of 30 s. */
const mostRemovalMs = 120_000;

const heads = [
  ...['sick', 'requests/s before', 'while', 'share', '503 at first', '503 later', 'p99 ms'],
  'all removed after s',
];

/**
 * Measures 32 callers with 1 id each, while apis, a worker, MongoDB or Kafka are sick. Compares each sickness with the load
 * right before it. Returns a table in Markdown.
 */
export async function measureSick(bench: Bench, { seconds }: BenchOptions): Promise<string> {
  const rows: string[] = [];
  for (const start of [startSickApis, startSickParts]) {
    const sick = await start(bench);
    try {
      await warmUp(bench, sick.system);
      for (const sickness of sick.sicknesses) {
        rows.push(await measureOne(bench, sick, sickness, seconds));
        progress(rows.at(-1) ?? '');
      }
    } finally {
      await sick.stop();
    }
  }
  return table(heads, rows);
}

async function measureOne(
  bench: Bench,
  { system }: SickSystem,
  { name, detectionSeconds, fall, recover }: Sickness,
  seconds: number,
): Promise<string> {
  const { jobs } = bench.settings;
  const send = (forSeconds: number) => sendLoad(bench.settings, system, { cell, seconds: forSeconds });
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
  const removedAfter = await secondsUntilRemoved(bench, sickSinceMs);
  recover();
  await send(recoverySeconds);
  await secondsUntilRemoved(bench, sharedClockMs());
  return rowOf(name, { before, first, during }, removedAfter);
}

interface Reports {
  readonly before: LoadReport;
  readonly first: LoadReport;
  readonly during: LoadReport;
}

function rowOf(name: string, { before, first, during }: Reports, removedAfter: number): string {
  const [then, now] = [before, during].map((report) => perSecond(report.acceptedRequests, report));
  const [rateBefore, rateDuring] = [then ?? NaN, now ?? NaN];
  const rates = [Math.round(rateBefore), Math.round(rateDuring), (rateDuring / rateBefore).toFixed(2)];
  const refused = [first.refusal ?? first.retries, during.refusal ?? during.retries];
  return row([name, ...rates, ...refused, Math.round(during.p99Ms), removedAfter.toFixed(1)]);
}

/** Waits until no accepted job is left. Returns NaN after two minutes. */
async function secondsUntilRemoved({ settings }: Bench, sinceMs: number): Promise<number> {
  const passedMs = () => sharedClockMs() - sinceMs;
  while (passedMs() < mostRemovalMs) {
    if ((await settings.jobs.remaining()) <= 0) return passedMs() / 1_000;
    await delay(50);
  }
  return NaN;
}
