import { Cluster } from './cluster.ts';
import { endMs, Play } from './play.ts';
import { healAtMs, type Plan } from './plan.ts';
import { World } from './world.ts';

export interface Result {
  /** Undefined if every guarantee holds. */
  readonly problem: string | undefined;
  readonly story: readonly string[];
  readonly steps: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly removed: number;
}

/** The longest way to database and event log in a flood, so that requests queue. */
const floodLatencyMs = 20;

/** Plays the plan on a cluster of the real service, with a simulated store, event log, network and clock. */
export async function simulate(plan: Plan): Promise<Result> {
  const world = new World(plan.seed);
  if (plan.kind === 'flood') world.latencyMs = floodLatencyMs;
  world.maxEventJobs = plan.maxEventJobs;
  // The parts of a deletion come in several batches.
  if (plan.kind === 'any' || plan.kind === 'removal') world.maxBatch = 2;
  const cluster = new Cluster(world);
  const play = new Play(plan, world, cluster);
  await play.start();
  await world.run(healAtMs[plan.kind], () => play.isOver());
  play.heal();
  await world.run(endMs, () => play.isOver() || play.isQuiet());
  if (!play.isQuiet()) play.oracle.fail(`after ${String(endMs)} ms ${play.describeRest()}`);
  // Until a majority has the last write.
  await world.run(100, () => play.isOver());
  if (!play.isOver()) play.oracle.end();
  if (!play.isOver()) await play.expire();
  if (!play.isOver()) await play.probe();
  const { problem, accepted, refused, unknown, removed } = play.oracle;
  return { problem, story: cluster.story, steps: world.steps, accepted, refused, unknown, removed };
}
