import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Bench, BenchOptions } from './bench.ts';
import { cellName, describeCell, type Cell } from './cells.ts';
import { rootFolder } from './folders.ts';
import { sendLoad } from './load/load.ts';
import { startEmbedded, type Embedded } from './measure-embedded.ts';
import { progress } from './progress.ts';
import type { Report } from './report/report.ts';
import { untilRemoved } from './run-cell.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Writes a CPU profile of each jobs-delete process, with new processes per cell. Does not wait for idle processes: the
 * profiler alone uses as much CPU time as some load.
 */
export async function profileCells(bench: Bench, options: BenchOptions): Promise<Report> {
  const folder = join(rootFolder, 'profiles');
  const parts: string[] = [`CPU profiles are in ${folder}\n`];
  for (const cell of options.cells) {
    const name = cellName(cell).replace(':', '-');
    parts.push(
      await profile(join(folder, name), cell, async (profileFolder) => {
        const system = await bench.startOurs({ profileFolder });
        return { system, settings: bench.settings, stop: system.stop };
      }),
    );
    if (!options.embedded) continue;
    parts.push(
      await profile(join(folder, `embedded-${name}`), cell, (profileFolder) =>
        startEmbedded(bench, options, profileFolder),
      ),
    );
  }
  return { sections: parts };
}

type Start = (profileFolder: string) => Promise<Pick<Embedded, 'system' | 'settings' | 'stop'>>;

async function profile(folder: string, cell: Cell, start: Start): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { system, settings, stop } = await start(folder);
  progress(`${system.name}: ${describeCell(cell)}`);
  const names = new Map(system.processes.map(({ name, pid }) => [pid, name]));
  try {
    // The first load compiles the code.
    for (const seconds of [1, settings.seconds]) {
      const report = await sendLoad(settings, system, { cell, seconds });
      await untilRemoved(settings.jobs, report);
    }
  } finally {
    await stop();
  }
  return `${system.name}: ${describeCell(cell)}\n\n${await readProfiles(folder, names)}`;
}

async function readProfiles(folder: string, names: ReadonlyMap<number, string>): Promise<string> {
  const files = await readdir(folder);
  const parts = files.map(async (file) => {
    // CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile
    const name = names.get(Number(basename(file).split('.')[3])) ?? file;
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
    return `    ${name}\n${topFunctions(profile, 12)}`;
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
  const busy = `      ${((100 * total) / all).toFixed(1).padStart(5)} %  of the time busy; of that:\n`;
  const functions = [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => `      ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}\n`);
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
