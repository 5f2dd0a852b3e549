import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Bench } from './bench.ts';
import { cellName, describeCell, type Cell } from './cells.ts';
import { startEmbedded, type Embedded } from './embedded.ts';
import { rootFolder } from './folders.ts';
import { runOnce, warmUp } from './measure-cells.ts';
import type { BenchOptions } from './options.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Writes a CPU profile of each jobs-delete process, with new processes per cell. Returns a summary as text. */
export async function profileCells(bench: Bench, options: BenchOptions): Promise<string> {
  const folder = join(rootFolder, 'profiles');
  const parts: string[] = [`CPU profiles are in ${folder}\n`];
  const profile = async (name: string, cell: Cell, start: Start) => {
    const profileFolder = join(folder, name);
    await rm(profileFolder, { recursive: true, force: true });
    await mkdir(profileFolder, { recursive: true });
    const { system, settings, stop } = await start(profileFolder);
    const names = new Map(system.processes.map(({ name: of, pid }) => [pid, of]));
    try {
      await warmUp({ settings }, system);
      await runOnce({ settings }, system, cell, 0);
    } finally {
      await stop();
    }
    parts.push(`\n${system.name}: ${describeCell(cell)}\n`, await readProfiles(profileFolder, names));
  };

  for (const cell of options.cells) {
    const name = cellName(cell).replace(':', '-');
    await profile(name, cell, async (profileFolder) => {
      const system = await bench.startOurs({ profileFolder });
      return { system, settings: bench.settings, stop: system.stop };
    });
    if (!options.embedded) continue;
    await profile(`embedded-${name}`, cell, async (profileFolder) => {
      const [ours, peer] = await startEmbedded(bench, { jobs: options.jobs, profileFolder });
      await peer.stop();
      return ours;
    });
  }
  return parts.join('');
}

type Start = (profileFolder: string) => Promise<Embedded>;

async function readProfiles(folder: string, names: ReadonlyMap<number, string>): Promise<string> {
  const files = await readdir(folder);
  const parts = files.map(async (file) => {
    // CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile
    const name = names.get(Number(basename(file).split('.')[3])) ?? file;
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    return `  ${name}\n${topFunctions(profile, 12)}`;
  });
  return (await Promise.all(parts)).join('');
}

/** Lists the functions with the most self time, without idle time. */
function topFunctions({ nodes, samples, timeDeltas }: CpuProfile, count: number): string {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const all = timeDeltas.reduce((sum, time) => sum + time, 0);
  const busy = `    ${((100 * total) / all).toFixed(1).padStart(5)} %  of the time busy; of that:\n`;
  const functions = [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => `    ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}\n`);
  return [busy, ...functions].join('');
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const file = url
    .replace(/^file:\/\//, '')
    .replace(rootFolder, '')
    .replace('node_modules/', '');
  return file === '' ? name : `${name}  ${file}:${String(lineNumber + 1)}`;
}
