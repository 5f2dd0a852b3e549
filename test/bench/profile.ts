import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Bench } from './bench.ts';
import { cellName, describeCell } from './cells.ts';
import { rootFolder } from './folders.ts';
import { runOnce } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A CPU profile of each of our processes, for each cell in processes of its own. @returns what they show, as text */
export async function profileCells(bench: Bench, options: BenchOptions): Promise<string> {
  const folder = join(rootFolder, 'profiles');
  const parts: string[] = [`CPU profiles are in ${folder}\n`];
  for (const cell of options.cells) {
    const profileFolder = join(folder, cellName(cell).replace(':', '-'));
    await rm(profileFolder, { recursive: true, force: true });
    await mkdir(profileFolder, { recursive: true });
    const system = await bench.startOurs({ profileFolder });
    const names = new Map(system.processes.map(({ name, pid }) => [pid, name]));
    try {
      await runOnce(bench, system, cell, 0);
    } finally {
      await system.stop();
    }
    parts.push(`\n${describeCell(cell)}\n`);
    for (const file of await readdir(profileFolder)) {
      // CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile
      const name = names.get(Number(basename(file).split('.')[3]));
      const profile = JSON.parse(await readFile(join(profileFolder, file), 'utf8')) as CpuProfile;
      parts.push(`  ${name ?? file}\n${topFunctions(profile, 12)}`);
    }
  }
  return parts.join('');
}

/** Those with the most time of their own, idling left out. */
function topFunctions({ nodes, samples, timeDeltas }: CpuProfile, count: number): string {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => `    ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}\n`)
    .join('');
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const file = url
    .replace(/^file:\/\//, '')
    .replace(rootFolder, '')
    .replace('node_modules/', '');
  return file === '' ? name : `${name}  ${file}:${String(lineNumber + 1)}`;
}
