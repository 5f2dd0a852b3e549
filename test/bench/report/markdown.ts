import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describeCell, type Cell } from '../cells.ts';
import type { Figures } from '../figures.ts';
import { rootFolder } from '../folders.ts';
import type { RunFigures } from '../run-cell.ts';
import type { Machine } from './machine.ts';
import { median, spread } from './statistics.ts';
import { processesOf, rounds } from './summary.ts';
import type { Target } from './targets.ts';

/** Returns the report file of these figures. Growth, replicas and the backlog have separate files. */
export function reportName({
  growth,
  replicas,
  backlog,
}: Figures): 'results' | 'growth' | 'replicas' | 'backlog' {
  if (growth.length > 0) return 'growth';
  if (replicas.length > 0) return 'replicas';
  return backlog === undefined ? 'results' : 'backlog';
}

/** Returns the report in Markdown, without the sections that were not measured. */
export async function writeMarkdown(
  figures: Figures,
  targets: readonly Target[],
  cells: { readonly measured: readonly Cell[]; readonly embedded: readonly Cell[] },
): Promise<string> {
  const { measured, embedded } = cells;
  const text = [
    introduction(figures),
    section('Targets', targetTable(targets)),
    section('Rates and latencies', rateTable(figures.runs, measured)),
    section('CPU and memory', costTable(figures.runs, measured)),
    section(
      'The embedded pair',
      rateTable(figures.embedded, embedded),
      costTable(figures.embedded, embedded),
    ),
    section('Raw limits', rawTable(figures.raw)),
    ...figures.growth.map(({ jobs, runs }) =>
      section(
        `With ${jobs.toLocaleString('en')} jobs in the collection`,
        rateTable(runs, measured),
        costTable(runs, measured),
      ),
    ),
    ...figures.replicas.map(({ replicas, runs }) =>
      section(`${String(replicas)} of each role`, rateTable(runs, measured), costTable(runs, measured)),
    ),
    backlogSection(figures.backlog),
  ].join('\n');
  const options = await resolveConfig(join(rootFolder, 'README.md'));
  return format(text, { ...options, parser: 'markdown' });
}

function section(title: string, ...parts: readonly string[]): string {
  return parts.every((part) => part === '') ? '' : `## ${title}\n\n${parts.join('\n')}\n`;
}

function introduction(figures: Figures): string {
  const name = reportName(figures);
  const command = name === 'results' ? 'npm run bench' : `npm run bench -- --${name}`;
  const rounds = figures.rounds === 1 ? 'one round' : `medians of ${String(figures.rounds)} rounds`;
  return `# Benchmarks: ${name}

Made by \`${command}\`, as described in [README.md](README.md); ${rounds}.

${describeSetting(figures.machine)}`;
}

function describeSetting({ cpu, memoryGib, kernel, loadAverage, cpuPressure, versions }: Machine): string {
  const pressure = cpuPressure === undefined ? '' : `, CPU pressure ${cpuPressure} % by others`;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `Machine: ${cpu}, ${memoryGib} GiB, Linux ${kernel}, load average ${loadAverage} before the run${pressure}.
Versions: ${named.join(', ')}.
`;
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

function rateTable(runs: readonly RunFigures[], cells: readonly Cell[]): string {
  const rows = rowsOf(runs, cells).map(({ cell, system }) => {
    const of = (field: Parameters<typeof rounds>[3]) => rounds(runs, system, cell, field);
    const rate = (values: readonly number[]) =>
      values.length === 1
        ? whole(median(values))
        : `${whole(median(values))} (±${(50 * spread(values)).toFixed(0)} %)`;
    return [
      describeCell(cell),
      system,
      rate(of('acceptedPerSecond')),
      rate(of('removedPerSecond')),
      median(of('p50Ms')).toFixed(1),
      median(of('p99Ms')).toFixed(1),
    ];
  });
  return table(['Requests', 'System', 'Accepted jobs/s', 'Removed jobs/s', 'p50 ms', 'p99 ms'], rows);
}

function costTable(runs: readonly RunFigures[], cells: readonly Cell[]): string {
  const rows = rowsOf(runs, cells).flatMap(({ cell, system }) => {
    const processes = processesOf(runs, system, cell);
    const sum = processes
      .filter(({ name }) => name !== 'load generator')
      .reduce((total, { cpuSecondsPer1000Jobs }) => total + cpuSecondsPer1000Jobs, 0);
    return [
      ...processes.map(({ name, cpuSecondsPer1000Jobs, peakMib }) => [
        describeCell(cell),
        system,
        name,
        cpuSecondsPer1000Jobs.toFixed(3),
        whole(peakMib),
      ]),
      [describeCell(cell), system, '**all but the load generator**', `**${sum.toFixed(3)}**`, ''],
    ];
  });
  return table(['Requests', 'System', 'Process', 'CPU s per 1,000 jobs', 'Peak MiB'], rows);
}

function rowsOf(runs: readonly RunFigures[], cells: readonly Cell[]) {
  const systems = [...new Set(runs.map(({ system }) => system))];
  return cells.flatMap((cell) =>
    systems
      .filter((system) => rounds(runs, system, cell, 'acceptedPerSecond').length > 0)
      .map((system) => ({ cell, system })),
  );
}

function rawTable(raw: Figures['raw']): string {
  const names = Object.keys(raw[0] ?? {});
  const rows = names.map((name) => {
    const value = median(raw.map((round) => round[name] ?? NaN));
    return [name, name.endsWith('ms') ? value.toFixed(1) : whole(value)];
  });
  return table(['What', 'Median'], rows);
}

function backlogSection(backlog: Figures['backlog']): string {
  if (backlog === undefined) return '';
  const { jobs, drainSeconds, removedPerSecond, acceptedPerSecond, peaks } = backlog;
  const rows = peaks.map(({ name, firstHalfMib, secondHalfMib }) => [
    name,
    whole(firstHalfMib),
    whole(secondHalfMib),
  ]);
  return section(
    'A backlog',
    `${whole(jobs)} jobs were accepted at ${whole(acceptedPerSecond)}/s, without relay and worker. Both started afterwards ` +
      `and removed the jobs in ${drainSeconds.toFixed(1)} s: ${whole(removedPerSecond)} jobs/s.\n`,
    table(['Process', 'Peak MiB, first half of the jobs', 'second half'], rows),
  );
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
