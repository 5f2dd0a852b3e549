import { describeCell, type Cell } from '../cells.ts';
import type { RunFigures } from '../run-cell.ts';
import { medianOf, type RunNumber } from './statistics.ts';

const colours = ['#1f6feb', '#8b949e', '#bf8700', '#2da44e', '#cf222e'];
const barHeight = 14;
const groupGap = 26;
const panelWidth = 400;
const left = 20;
const top = 64;

/** Draws a bar chart: a panel for accepted and one for removed jobs/s, a group per cell, a bar per system. */
export function drawChart(runs: readonly RunFigures[], cells: readonly Cell[]): string {
  const systems = [...new Set(runs.map(({ system }) => system))];
  const groupHeight = systems.length * barHeight + groupGap;
  const height = top + cells.length * groupHeight + 10;
  const width = left + 2 * (panelWidth + 30);
  const panels = [
    { title: 'Accepted jobs/s', field: 'acceptedPerSecond', x: left },
    { title: 'Removed jobs/s', field: 'removedPerSecond', x: left + panelWidth + 30 },
  ] as const;
  const parts = [
    ...systems.map((system, index) => legend(system, index)),
    ...panels.flatMap(({ title, field, x }) => [
      text(x, top - 14, title, 'font-weight="bold"'),
      ...cells.flatMap((cell, group) =>
        bars(runs, { cell, systems, field, x, y: top + group * groupHeight }),
      ),
    ]),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      'font-family="sans-serif" font-size="12">',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

interface Group {
  readonly cell: Cell;
  readonly systems: readonly string[];
  readonly field: RunNumber;
  readonly x: number;
  readonly y: number;
}

/** Scales each group separately: only the ratio within a group matters. */
function bars(runs: readonly RunFigures[], { cell, systems, field, x, y }: Group): string[] {
  const values = systems.map((system) => medianOf(runs, system, cell, field));
  const most = Math.max(...values.filter((value) => !Number.isNaN(value)));
  return [
    text(x, y + 11, describeCell(cell)),
    ...values.flatMap((value, index) => {
      if (Number.isNaN(value)) return [];
      const barY = y + 16 + index * barHeight;
      const barWidth = ((panelWidth - 60) * value) / most;
      const colour = colours[index % colours.length] ?? '';
      return [
        `<rect x="${x}" y="${barY}" width="${barWidth.toFixed(1)}" height="${barHeight - 2}" fill="${colour}"/>`,
        text(x + barWidth + 4, barY + 10, Math.round(value).toLocaleString('en'), 'font-size="10"'),
      ];
    }),
  ];
}

function legend(system: string, index: number): string {
  const x = left + index * 150;
  const colour = colours[index % colours.length] ?? '';
  return `<rect x="${x}" y="14" width="12" height="12" fill="${colour}"/>\n${text(x + 18, 24, system)}`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" fill="#1f2328" ${attributes}>${escaped}</text>`;
}
