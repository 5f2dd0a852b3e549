/** How exactly a store keeps the time of a limit. */
export interface LimitPrecision {
  /** A job counts for 24 hours, and at most this long. */
  readonly countedMs: number;
  /** A limit or an allowance that has ended may be used so long after its end. */
  readonly heldMs: number;
  /** The difference between the times of the store and of the model. */
  readonly slackMs: number;
  /** True if every check of a share leaves a count of jobs that is at most an hour old. */
  readonly countsAtCheck: boolean;
}

export interface ModelRules {
  readonly limit: { readonly kind: 'jobs' | 'share'; readonly amount: number } | undefined;
  readonly allowances: readonly { readonly jobs: number; readonly untilMs: number }[];
}

export interface Refused {
  readonly limit: number;
  readonly used: number;
}

/** What decides about the limit of one account. All times are of the clock by which the store keeps limits. */
export interface LimitModel {
  nowMs: number;
  /** The latest time before the clock was set back. */
  latestMs: number;
  /** The accepted requests that had a limit. */
  readonly counted: { readonly atMs: number; readonly jobs: number }[];
  /** How many jobs the account had: a clock that is set back begins a new entry. */
  readonly sizes: { readonly fromMs: number; toMs: number; jobs: number }[];
  /** The smallest possible count of jobs for a share that was checked. */
  readonly checks: { readonly atMs: number; readonly jobs: number }[];
  /** The last ones hold now. */
  readonly rules: { readonly rules: ModelRules; toMs: number }[];
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const noRules: ModelRules = { limit: undefined, allowances: [] };

export function createLimitModel(nowMs: number): LimitModel {
  return {
    nowMs,
    latestMs: nowMs,
    counted: [],
    checks: [],
    sizes: [{ fromMs: nowMs, toMs: nowMs, jobs: 0 }],
    rules: [{ rules: noRules, toMs: nowMs }],
  };
}

export function currentRules({ rules }: LimitModel): ModelRules {
  return rules.at(-1)?.rules ?? noRules;
}

export function changeRules({ rules, nowMs }: LimitModel, changed: ModelRules): void {
  rules.push({ rules: changed, toMs: nowMs });
}

/** Tells how many jobs the account has now. */
export function resize({ sizes, nowMs }: LimitModel, jobs: number): void {
  if (sizes.at(-1)?.jobs !== jobs) sizes.push({ fromMs: nowMs, toMs: nowMs, jobs });
}

/** Counts an accepted request. */
export function countAccepted(model: LimitModel, jobs: number): void {
  if (currentRules(model).limit !== undefined) model.counted.push({ atMs: model.nowMs, jobs });
}

/** Tells the time, which may be set back. */
export function passLimitTime(model: LimitModel, nowMs: number): void {
  const [size, rule] = [model.sizes.at(-1), model.rules.at(-1)];
  model.nowMs = nowMs;
  model.latestMs = Math.max(model.latestMs, nowMs);
  if (rule !== undefined) rule.toMs = nowMs;
  if (size === undefined) return;
  if (nowMs >= size.toMs) size.toMs = nowMs;
  else model.sizes.push({ fromMs: nowMs, toMs: nowMs, jobs: size.jobs });
}

/**
 * Judges a request whose jobs are all free.
 * @param refused undefined if it was not refused for the limit
 * @returns what is wrong
 */
export function judgeLimit(
  model: LimitModel,
  jobs: number,
  refused: Refused | undefined,
  precision: LimitPrecision,
): string | undefined {
  const { nowMs, latestMs, counted, checks } = model;
  const { countedMs, heldMs, slackMs, countsAtCheck } = precision;
  const current = currentRules(model);
  if (current.limit === undefined) return refused && 'refused without a limit';
  const usedSince = (fromMs: number) =>
    counted.reduce((sum, one) => (one.atMs > fromMs ? sum + one.jobs : sum), 0);
  // A clock that was set forward has made the store forget what was older than a day.
  const surelyUsed = usedSince(latestMs - dayMs + slackMs);
  const mostUsed = usedSince(nowMs - countedMs);
  const inForce = model.rules.filter(({ rules, toMs }) => rules === current || toMs > nowMs - heldMs);
  const most = Math.max(...inForce.map(({ rules }) => mostOf(rules, model, precision)));
  const least = leastOf(current, model, precision);
  if (current.limit.kind === 'share' && countsAtCheck)
    checks.push({ atMs: nowMs, jobs: leastSize(model, nowMs - hourMs, nowMs) });
  if (refused === undefined) {
    if (surelyUsed + jobs <= most) return undefined;
    return `${String(jobs)} jobs are accepted after ${String(surelyUsed)} of ${String(most)}`;
  }
  const { limit, used } = refused;
  const isFair = mostUsed + jobs > least && used + jobs > limit;
  // Reserved jobs may be used, and are not reported as such.
  const isTrue = limit >= least && limit <= most && used <= mostUsed && (heldMs > 0 || used >= surelyUsed);
  if (isFair && isTrue) return undefined;
  const range = `${String(surelyUsed)} to ${String(mostUsed)} used of ${String(least)} to ${String(most)}`;
  return `${String(jobs)} jobs are refused as ${String(used)} of ${String(limit)}: ${range}`;
}

function mostOf(
  rules: ModelRules,
  { sizes, nowMs }: LimitModel,
  { heldMs, countedMs, slackMs }: LimitPrecision,
): number {
  const had = Math.max(...sizes.map(({ toMs, jobs }) => (toMs >= nowMs - countedMs ? jobs : 0)));
  return limitFor(rules, had, nowMs - heldMs - slackMs);
}

function leastOf(rules: ModelRules, model: LimitModel, { slackMs }: LimitPrecision): number {
  const { nowMs, latestMs, checks } = model;
  const checked = checks.map(({ atMs, jobs }) => (atMs > latestMs - dayMs + slackMs ? jobs : 0));
  const had = Math.max(leastSize(model, nowMs - minuteMs - slackMs, nowMs), ...checked);
  return limitFor(rules, had, nowMs + slackMs);
}

function limitFor({ limit, allowances }: ModelRules, had: number, atMs: number): number {
  if (limit === undefined) return Infinity;
  const base = limit.kind === 'jobs' ? limit.amount : Math.trunc((had * limit.amount) / 100);
  return allowances.reduce((sum, { jobs, untilMs }) => (untilMs > atMs ? sum + jobs : sum), base);
}

/** The fewest jobs that the account had between both times. */
function leastSize({ sizes }: LimitModel, fromMs: number, toMs: number): number {
  const during = sizes.filter((size) => size.toMs >= fromMs && size.fromMs <= toMs);
  return Math.min(...during.map(({ jobs }) => jobs));
}
