import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBench, type Bench } from './bench.ts';
import type { Figures } from './figures.ts';
import { rootFolder } from './folders.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureCells } from './measure-cells.ts';
import { measureClient } from './measure-client.ts';
import { embeddedCells, measureEmbedded } from './measure-embedded.ts';
import { measureFloods } from './measure-floods.ts';
import { measureNeighbours } from './measure-neighbours.ts';
import { measureReplicas } from './measure-replicas.ts';
import { measureSick } from './measure-sick.ts';
import { measureUnauthenticated } from './measure-unauthenticated.ts';
import { readOptions, usage, type BenchOptions } from './options.ts';
import { profileCells } from './profile.ts';
import { progress } from './progress.ts';
import { drawChart } from './report/chart.ts';
import { describeMachine, type Machine } from './report/machine.ts';
import { reportName, writeMarkdown } from './report/markdown.ts';
import { judge } from './report/targets.ts';

export async function main(args: readonly string[]): Promise<void> {
  let options: BenchOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const machine = describeMachine();
  progress('starting MongoDB and Kafka');
  const bench = await openBench(options);
  try {
    await bench.settings.jobs.fill(options.growth[0] ?? options.jobs);
    if (options.floods.length > 0) process.stdout.write(await measureFloods(bench, options));
    else if (options.neighbours) process.stdout.write(await measureNeighbours(bench, options));
    else if (options.sick) process.stdout.write(await measureSick(bench, options));
    else if (options.client > 0) process.stdout.write(await measureClient(bench, options));
    else if (options.unauthenticated) process.stdout.write(await measureUnauthenticated(bench, options));
    else if (options.profile) process.stdout.write(await profileCells(bench, options));
    else await report(await measure(bench, options, machine), options);
  } finally {
    await bench.close();
  }
}

/** Measures growth, replicas or the backlog only when requested, and then nothing else: each takes long. */
async function measure(bench: Bench, options: BenchOptions, machine: Machine): Promise<Figures> {
  const { rounds, jobs } = options;
  const none = { runs: [], raw: [], embedded: [], growth: [], replicas: [], backlog: undefined };
  const common = { ...none, machine, rounds, jobs };
  if (options.growth.length > 0) return { ...common, growth: await measureGrowth(bench, options) };
  const { replicas } = options;
  if (replicas !== undefined) return { ...common, replicas: await measureReplicas(bench, options, replicas) };
  if (options.backlog > 0) return { ...common, backlog: await measureBacklog(bench, options.backlog) };
  const cells = await measureCells(bench, options);
  return { ...common, ...cells, embedded: options.embedded ? await measureEmbedded(bench, options) : [] };
}

async function measureGrowth(bench: Bench, options: BenchOptions): Promise<Figures['growth']> {
  const growth: { jobs: number; runs: Figures['runs'] }[] = [];
  for (const jobs of options.growth.toSorted((a, b) => a - b)) {
    progress(`importing, up to ${String(jobs)} jobs`);
    await bench.settings.jobs.fill(jobs);
    growth.push({ jobs, runs: (await measureCells(bench, { ...options, raw: false })).runs });
  }
  return growth;
}

async function report(figures: Figures, { json, out, cells }: BenchOptions): Promise<void> {
  const targets = judge(figures);
  const markdown = await writeMarkdown(figures, targets, { measured: cells, embedded: embeddedCells });
  if (out !== undefined) {
    const folder = resolve(rootFolder, out);
    await mkdir(folder, { recursive: true });
    const name = reportName(figures);
    await writeFile(join(folder, `${name}.md`), markdown);
    if (name === 'results') await writeFile(join(folder, 'chart.svg'), drawChart(figures.runs, cells));
    progress(`written to ${folder}`);
  }
  for (const { system, cell, refusal, removedPerSecond } of [...figures.runs, ...figures.embedded]) {
    if (refusal === undefined && !Number.isNaN(removedPerSecond)) continue;
    progress(`NOT VALID: ${system} in ${cell}: ${refusal ?? 'accepted jobs were not removed'}`);
    process.exitCode = 1;
  }
  process.stdout.write(json ? `${JSON.stringify({ ...figures, targets }, null, 2)}\n` : markdown);
}
