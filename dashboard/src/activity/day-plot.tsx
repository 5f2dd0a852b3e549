import { scaleBand, scaleLinear, type ScaleLinear } from 'd3-scale';
import { activityTexts } from './activity-texts.ts';
import { DayLinks, type DayLinksProps } from './day-links.tsx';

/** The edges of the bars in pixels. The picture is as wide as its card, so its texts have one size on every screen. */
const plot = { top: 20, bottom: 180 };
/** The edges of the refused requests, which have a label and an axis of their own: they are far fewer or far more than jobs. */
const below = { label: 238, top: 250, bottom: 282 };
const minBarHeight = 2;
const ticks = { jobs: 3, refused: 1 };
/** More lines would be louder than the bars. */
const maxLines = 4;
/** With more days, only the months have labels. */
const maxDayLabels = 31;
/** So few bars show their values. */
const maxValues = 7;
/** So few bars have this width in pixels: a part of the width would be a slab. They do not touch on a phone of 360 px. */
const maxWideBars = 6;
const wideBar = 32;
/** On a phone, larger values would touch each other. */
const crowded = 10_000;
/** On a phone, every fifth day has a label. */
const narrowStep = 5;

/** Returns pixels to a tenth: more digits only make the page larger. */
const pixels = (length: number) => Math.round(length * 10) / 10;
/** Returns a part of the width to a hundredth. A tenth of a percent can be more than a pixel. */
const percent = (length: number) => `${String(Math.round(length * 100) / 100)}%`;

/** The jobs of each day as bars, and below them the refused requests as other bars. Links cover the columns of the days. */
export function DayPlot({ language, days, todayMs, jobsName, hasRefused, hrefOf }: DayLinksProps) {
  const { chart: texts } = activityTexts[language];
  const full = new Intl.NumberFormat(language);
  const gap = days.length < 10 ? 0.7 : 0.4;
  const x = scaleBand<number>()
    .domain(days.map(({ dayMs }) => dayMs))
    .range([0, 100])
    .paddingInner(gap)
    // Each day has an equal part of the width, like the links.
    .paddingOuter(gap / 2);
  const y = scaleOf(
    days.map(({ jobs }) => jobs),
    ticks.jobs,
  ).range([plot.bottom, plot.top]);
  const refusedY = scaleOf(
    days.map(({ refused = 0 }) => refused),
    ticks.refused,
  ).range([below.bottom, below.top]);
  const axes = [ticksOf(y, ticks.jobs), hasRefused ? ticksOf(refusedY, ticks.refused) : []].flat();
  const height = hasRefused ? below.bottom + 6 : plot.bottom + 36;
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <div class="picture" aria-hidden="true">
      <svg class="chart" height={height}>
        {axes.map(({ y, value }) => (
          <text class="tick" x="100%" dx="-8" y={y + 4}>
            {short.format(value)}
          </text>
        ))}
      </svg>
      <svg class="chart" height={height}>
        {axes.map(({ y }) => (
          <line x2="100%" y1={y} y2={y} />
        ))}
        {hasRefused && (
          <text class="name" y={below.label}>
            {texts.refused}
          </text>
        )}
        {days.map(({ dayMs, jobs, refused = 0 }, index) => {
          const left = x(dayMs) ?? 0;
          const middle = percent(left + x.bandwidth() / 2);
          const bar =
            days.length <= maxWideBars
              ? { x: middle, width: wideBar, transform: `translate(${String(-wideBar / 2)})` }
              : { x: percent(left), width: percent(x.bandwidth()) };
          const isToday = dayMs === todayMs;
          const top = topOf(y, jobs);
          const refusedTop = topOf(refusedY, refused);
          return (
            <>
              <rect
                {...bar}
                y={top}
                height={pixels(plot.bottom - top)}
                rx={2}
                fill={isToday ? hatched : undefined}
              />
              {refused > 0 && (
                <rect class="refused" {...bar} y={refusedTop} height={pixels(below.bottom - refusedTop)} />
              )}
              {days.length <= maxValues && (
                <text class={jobs < crowded ? 'value' : 'value detail'} x={middle} y={pixels(top - 6)}>
                  {full.format(jobs)}
                </text>
              )}
              <DayLabels language={language} days={days} index={index} x={middle} />
            </>
          );
        })}
      </svg>
      <DayLinks {...{ language, days, todayMs, jobsName, hasRefused, hrefOf }} />
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

/** Returns the upper edge of a bar. A value beside a much larger one stays visible. */
function topOf(scale: Scale, value: number): number {
  return pixels(Math.min(scale(value), scale(0) - (value === 0 ? 0 : minBarHeight)));
}

/** Counts are whole numbers. */
function ticksOf(scale: Scale, count: number) {
  const values = scale.ticks(count).filter(Number.isInteger);
  return values
    .filter((_, index) => values.length <= maxLines || index % 2 === 0)
    .map((value) => ({ value, y: pixels(scale(value)) }));
}

interface DayLabelsProps extends Pick<DayLinksProps, 'language' | 'days'> {
  readonly index: number;
  readonly x: string;
}

function DayLabels({ language, days, index, x }: DayLabelsProps) {
  const { dayMs = 0 } = days[index] ?? {};
  const day = new Date(dayMs).getUTCDate();
  const isLong = days.length > maxDayLabels;
  const isDense = days.length > maxValues;
  // The label of the first day would cover that of a month which begins soon.
  const isNearNext = isDense && day >= 25;
  const startsAxis = index === 0 && !(isLong && isNearNext);
  const month = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  return (
    <>
      {!isLong && (
        <text
          class={isDense && (days.length - 1 - index) % narrowStep > 0 ? 'detail' : undefined}
          x={x}
          y={plot.bottom + 16}
        >
          {String(day)}
        </text>
      )}
      {(day === 1 || startsAxis) && (
        <text
          class={startsAxis && isNearNext ? 'detail' : undefined}
          x={x}
          y={plot.bottom + (isLong ? 20 : 31)}
        >
          {month.format(dayMs)}
        </text>
      )}
    </>
  );
}
