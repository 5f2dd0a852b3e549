import type { Plan } from './plan.ts';
import { simulate } from './simulate.ts';

/**
 * Removes as many actions as possible from a plan whose simulation fails, so that its story is short. The problem may become
 * another one of the same kind.
 */
export async function shrink(plan: Plan, problem: string): Promise<Plan> {
  let best = plan;
  for (let size = Math.ceil(best.actions.length / 2); size >= 1; size >>= 1) {
    for (let from = 0; from < best.actions.length;) {
      const actions = best.actions.toSpliced(from, size);
      const shorter = { ...best, actions };
      const found = (await simulate(shorter)).problem;
      if (found !== undefined && kindOf(found) === kindOf(problem)) best = shorter;
      else from += size;
    }
  }
  return best;
}

/** The problem without ids and numbers. */
function kindOf(problem: string): string {
  return problem.replace(/[0-9a-f]{8}-[0-9a-f-]+/g, 'ID').replace(/\S*\d\S*/g, 'N');
}
