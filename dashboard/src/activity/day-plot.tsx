import { scaleBand, scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Language } from '../web/language.ts';
import { dayOf } from './activity-filter.ts';
import { activityTexts } from './activity-texts.ts';
import type { Chart } from './chart-days.ts';

export interface DayPlotProps extends Pick<Chart, 'days' | 'todayMs'> {
  readonly language: Language;
  /** Whether the days have refused requests. */
  readonly hasRefused: boolean;
}

/** The edges of the bars in the picture. Around them stand the labels of the axes. */
const plot = { left: 48, right: 900, top: 10, bottom: 170 };
/** The edges of the refused requests, which have an axis of their own: they are far fewer or far more than jobs. */
const below = { top: 222, bottom: 256 };
const ticks = { jobs: 3, refused: 1 };
/** More lines would be louder than the bars. */
const maxLines = 4;
/** With more days, only the months have labels. */
const maxDayLabels = 31;

/** Returns a tenth of a unit: more digits only make the page larger. */
const round = (length: number) => Math.round(length * 10) / 10;

/**
 * The jobs of each day as bars, and below them the refused requests as diamonds. The labels of both scales are a picture of
 * their own, which stays in view while the other one scrolls.
 */
export function DayPlot({ language, days, todayMs, hasRefused }: DayPlotProps) {
  const { chart: texts } = activityTexts[language];
  const full = new Intl.NumberFormat(language);
  const x = scaleBand<number>()
    .domain(days.map(({ dayMs }) => dayMs))
    .range([plot.left, plot.right])
    .padding(days.length < 10 ? 0.7 : 0.4);
  const y = scaleOf(
    days.map(({ jobs }) => jobs),
    ticks.jobs,
  ).range([plot.bottom, plot.top]);
  const refusedY = scaleOf(
    days.map(({ refused = 0 }) => refused),
    ticks.refused,
  ).range([below.bottom, below.top]);
  const axes = [ticksOf(y, ticks.jobs), hasRefused ? ticksOf(refusedY, ticks.refused) : []].flat();
  const height = String(hasRefused ? below.bottom + 10 : plot.bottom + 36);
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <div class="picture">
      <svg
        class="chart"
        role="img"
        aria-labelledby="chart-heading"
        aria-describedby="chart-summary"
        viewBox={`0 0 ${String(plot.right)} ${height}`}
      >
        {axes.map(({ y }) => (
          <line x1={plot.left} x2={plot.right} y1={y} y2={y} />
        ))}
        {days.map(({ dayMs, jobs, refused = 0 }, index) => {
          const left = x(dayMs) ?? 0;
          const middle = round(left + x.bandwidth() / 2);
          const isToday = dayMs === todayMs;
          const name = isToday ? `${texts.today}, ${dayOf(dayMs)}` : dayOf(dayMs);
          const top = jobs === 0 ? plot.bottom : round(Math.min(y(jobs), plot.bottom - 2));
          return (
            <g>
              <title>
                {`${name}: ${full.format(jobs)}${refused > 0 ? `; ${texts.refused}: ${full.format(refused)}` : ''}`}
              </title>
              <rect
                x={round(left)}
                y={top}
                width={round(x.bandwidth())}
                height={round(plot.bottom - top)}
                rx={2}
                fill={isToday ? hatched : undefined}
              />
              {refused > 0 && <Diamond x={middle} y={round(refusedY(refused))} />}
              <DayLabels language={language} days={days} index={index} x={middle} />
            </g>
          );
        })}
      </svg>
      <svg class="chart scale" aria-hidden="true" viewBox={`0 0 ${String(plot.left)} ${height}`}>
        {axes.map(({ y, value }) => (
          <text class="tick" x={plot.left - 8} y={y + 4}>
            {short.format(value)}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** The fill of the current day, whose counts are not complete. The page has a `Hatch` too. */
export const hatched = 'url(#hatch)';

export function Hatch() {
  return (
    <pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2" height="4" />
    </pattern>
  );
}

type Scale = ScaleLinear<number, number>;

function scaleOf(values: readonly number[], ticks: number): Scale {
  return scaleLinear()
    .domain([0, Math.max(1, ...values)])
    .nice(ticks);
}

/** Counts are whole numbers. */
function ticksOf(scale: Scale, count: number) {
  const values = scale.ticks(count).filter(Number.isInteger);
  return values
    .filter((_, index) => values.length <= maxLines || index % 2 === 0)
    .map((value) => ({ value, y: round(scale(value)) }));
}

/** The mark of refused requests: another shape than a bar, for readers who do not see the color. */
export function Diamond({ x, y }: { readonly x: number; readonly y: number }) {
  return <path class="refused" d={`M${String(x)} ${String(round(y - 4))}l4 4l-4 4l-4 -4z`} />;
}

interface DayLabelsProps extends Pick<DayPlotProps, 'language' | 'days'> {
  readonly index: number;
  readonly x: number;
}

function DayLabels({ language, days, index, x }: DayLabelsProps) {
  const { dayMs = 0 } = days[index] ?? {};
  const day = new Date(dayMs).getUTCDate();
  const isLong = days.length > maxDayLabels;
  // The label of the first day would cover that of a month which begins soon.
  const startsAxis = index === 0 && (!isLong || day < 25);
  const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  return (
    <>
      {!isLong && (
        <text class="day" x={x} y={plot.bottom + 16}>
          {String(day)}
        </text>
      )}
      {isLong && day === 1 && <line x1={x} x2={x} y1={plot.bottom} y2={plot.bottom + 6} />}
      {(day === 1 || startsAxis) && (
        <text class="day" x={x} y={plot.bottom + (isLong ? 20 : 31)}>
          {month.format(dayMs)}
        </text>
      )}
    </>
  );
}
