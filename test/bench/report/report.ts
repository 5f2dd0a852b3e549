import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeCell, type Cell } from '../cells.ts';
import { rootFolder } from '../folders.ts';
import { progress } from '../progress.ts';
import type { RunFigures } from '../run-cell.ts';
import { median, processesOf, runsOf, spread } from './statistics.ts';
import type { Target } from './targets.ts';

/** Result of a measurement. */
export interface Report {
  /** In Markdown. */
  readonly sections: readonly string[];
  readonly targets?: readonly Target[];
  /** An SVG image, written beside the report. */
  readonly chart?: string;
}

/** Prints a report in Markdown, and writes it into a folder. */
export async function writeReport(
  { sections, targets = [], chart }: Report,
  options: {
    readonly name: string;
    readonly machine: string;
    readonly rounds: number;
    readonly out?: string;
  },
): Promise<void> {
  const { name, machine, rounds, out } = options;
  const command = name === 'results' ? 'npm run bench' : `npm run bench -- --${name}`;
  const counted = rounds === 1 ? 'one round' : `medians of ${String(rounds)} rounds`;
  const introduction = `# Benchmarks: ${name}

Made by \`${command}\`, as described in [README.md](README.md); ${counted}.

${machine}`;
  const text = [introduction, section('Targets', targetTable(targets)), ...sections].join('\n');
  const config = await resolveConfig(join(rootFolder, 'README.md'));
  const markdown = await format(text, { ...config, parser: 'markdown' });
  process.stdout.write(markdown);
  if (out === undefined) return;
  const folder = resolve(rootFolder, out);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.md`), markdown);
  if (chart !== undefined) await writeFile(join(folder, 'chart.svg'), chart);
  progress(`written to ${folder}`);
}

export function section(title: string, ...parts: readonly string[]): string {
  return parts.every((part) => part === '') ? '' : `## ${title}\n\n${parts.join('\n')}\n`;
}

export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** Returns a table whose new rows are shown at once. */
export function openTable(heads: readonly string[]) {
  const rows: (readonly (string | number)[])[] = [];
  return {
    add: (cells: readonly (string | number)[]) => {
      rows.push(cells);
      progress(cells.join(' | '));
    },
    markdown: () => table(heads, rows),
  };
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Returns the rates and latencies of these runs, and their CPU time and memory. */
export function runTables(
  runs: readonly RunFigures[],
  cells: readonly Cell[],
): [rates: string, costs: string] {
  const systems = [...new Set(runs.map(({ system }) => system))];
  const groups = cells.flatMap((cell) =>
    systems.flatMap((system) => {
      const of = runsOf(runs, system, cell);
      return of.length === 0 ? [] : [{ start: [describeCell(cell), system], of }];
    }),
  );
  const rates = groups.map(({ start, of }) => [
    ...start,
    rate(of.map(({ acceptedPerSecond }) => acceptedPerSecond)),
    rate(of.map(({ removedPerSecond }) => removedPerSecond)),
    median(of.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(of.map(({ p99Ms }) => p99Ms)).toFixed(1),
  ]);
  const costs = groups.flatMap(({ start, of }) => {
    const processes = processesOf(of);
    const sum = processes
      .filter(({ name }) => name !== 'load generator')
      .reduce((total, { cpuSecondsPer1000Jobs }) => total + cpuSecondsPer1000Jobs, 0);
    return [
      ...processes.map(({ name, cpuSecondsPer1000Jobs, peakMib }) => [
        ...start,
        name,
        cpuSecondsPer1000Jobs.toFixed(3),
        whole(peakMib),
      ]),
      [...start, '**all but the load generator**', `**${sum.toFixed(3)}**`, ''],
    ];
  });
  const first = ['Requests', 'System'];
  return [
    table([...first, 'Accepted jobs/s', 'Removed jobs/s', 'p50 ms', 'p99 ms'], rates),
    table([...first, 'Process', 'CPU s per 1,000 jobs', 'Peak MiB'], costs),
  ];
}

function rate(values: readonly number[]): string {
  const variation = values.length === 1 ? '' : ` (±${(50 * spread(values)).toFixed(0)} %)`;
  return `${whole(median(values))}${variation}`;
}

function targetTable(targets: readonly Target[]): string {
  return table(
    ['Target', 'Bound', 'Measured', ''],
    targets.map(({ name, kind, bound, measured, unit, pass }) => [
      name,
      `${kind === 'at least' ? '≥' : '≤'} ${bound}${unit}`,
      `${measured.toFixed(unit === '×' ? 2 : 0)}${unit}`,
      pass ? 'pass' : '**fail**',
    ]),
  );
}
