/** One measured value over time. */
export interface Series {
  readonly name: string;
  readonly points: { readonly minute: number; readonly value: number }[];
}

export interface Trend {
  readonly mean: number;
  readonly perHour: number;
  readonly isGrowing: boolean;
}

/** The first part of a run, in which caches fill and code is compiled. */
const warmUpShare = 0.25;
/** A series grows if the rise of its line exceeds both this share of its mean and this number of standard errors. */
const growingShare = 0.1;
const growingErrors = 4;

/** Fits a line by least squares, after the warm-up. */
export function trendOf({ points: all }: Series): Trend {
  const end = all.at(-1)?.minute ?? 0;
  const points = all.filter(({ minute }) => minute >= warmUpShare * end);
  const count = points.length;
  const mean = average(points.map(({ value }) => value));
  const middle = average(points.map(({ minute }) => minute));
  const spread = points.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  const slope =
    points.reduce((sum, { minute, value }) => sum + (minute - middle) * (value - mean), 0) / spread;
  const rest = points.reduce(
    (sum, { minute, value }) => sum + (value - mean - slope * (minute - middle)) ** 2,
    0,
  );
  const error = Math.sqrt(rest / (count - 2) / spread);
  const rise = slope * (1 - warmUpShare) * end;
  return {
    mean,
    perHour: 60 * slope,
    isGrowing: rise > growingShare * mean && slope > growingErrors * error,
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

/** Minutes in which faults were. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

const colours = [
  '#1f6feb',
  '#cf222e',
  '#2da44e',
  '#bf8700',
  '#8250df',
  '#57606a',
  '#0598bc',
  '#bc4c00',
  '#d4a72c',
  '#6e7781',
];
const [width, panelHeight, left, right, gap] = [900, 130, 60, 140, 46];

/** Draws a panel for each group of series, one below the other, on one axis of minutes. Grey bands are faults. */
export function plot(title: string, panels: readonly Panel[], bands: readonly Band[]): string {
  const minutes = Math.max(
    ...panels.flatMap(({ series }) => series.map(({ points }) => points.at(-1)?.minute ?? 0)),
  );
  const x = (minute: number) => left + ((width - left - right) * minute) / minutes;
  const height = 40 + panels.length * (panelHeight + gap);
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, 60 + index * (panelHeight + gap), bands, x, minutes),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(left, 22, title, 'font-size="14" font-weight="bold"'),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel(
  { title, series }: Panel,
  top: number,
  bands: readonly Band[],
  x: (minute: number) => number,
  minutes: number,
): string {
  const most = Math.max(1, ...series.flatMap(({ points }) => points.map(({ value }) => value)));
  const bottom = top + panelHeight;
  const y = (value: number) => bottom - (panelHeight * value) / most;
  const line = ({ points }: Series, index: number) => {
    let last = -Infinity;
    // One point for each unit of the axis.
    const drawn = points.filter(({ minute }, at) => {
      const isDrawn = x(minute) - last >= 1 || at === points.length - 1;
      if (isDrawn) last = x(minute);
      return isDrawn;
    });
    const path = drawn.map(({ minute, value }) => `${x(minute).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour(index)}" stroke-width="1.2"/>`;
  };
  const end = width - right;
  return [
    ...bands.map(({ from, to }) => {
      const bandWidth = Math.max(1, x(to) - x(from)).toFixed(1);
      return `<rect x="${x(from).toFixed(1)}" y="${top}" width="${bandWidth}" height="${panelHeight}" fill="#eaeef2"/>`;
    }),
    `<path d="M${left} ${top}V${bottom}H${end}" fill="none" stroke="#8c959f"/>`,
    text(left, top - 6, title, 'font-weight="bold"'),
    text(left - 6, top + 8, most.toLocaleString('en', { maximumFractionDigits: 0 }), 'text-anchor="end"'),
    text(left - 6, bottom, '0', 'text-anchor="end"'),
    text(end, bottom + 14, `${minutes.toFixed(0)} min`, 'text-anchor="end"'),
    ...series.map(line),
    ...series.map(({ name }, index) => text(end + 10, top + 8 + 13 * index, name, '', colour(index))),
  ].join('\n');
}

function colour(index: number): string {
  return colours[index % colours.length] ?? '';
}

function text(x: number, y: number, content: string, attributes = '', fill = '#1f2328'): string {
  return `<text x="${x}" y="${y}" fill="${fill}" ${attributes}>${content}</text>`;
}
