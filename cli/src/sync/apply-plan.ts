import { existsSync } from 'node:fs';
import { idsOfArguments } from '../delete/id-input.ts';
import { runDeletion } from '../delete/run-deletion.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { counted, printable, report, wholeNumber } from '../report.ts';
import { memoryOf } from './make-plan.ts';
import {
  ownJobs,
  readPlan,
  requestOptions,
  requireSameOwner,
  requireShare,
  writePrivately,
  type Plan,
  type SyncOrder,
} from './plan.ts';

const maxAgeMs = 24 * 3_600_000;

/**
 * Deletes the jobs of the plan, as `jobs-delete delete` does. The journal beside the plan lets a later call go on.
 * @throws Refusal when the plan is of another account, too old, or no longer fits the account's jobs
 */
export async function applyPlan(io: Io, order: SyncOrder): Promise<void> {
  const { planPath } = order;
  const name = `The plan ${printable(planPath)}`;
  const plan = readPlan(planPath);
  requireSameOwner(name, plan, order);
  const orElse = 'Nothing is deleted. Make a new plan.';
  if (plan.applied_at !== undefined)
    throw new Refusal(`${name} was applied at ${plan.applied_at}. ${orElse}`);
  if (io.now() - Date.parse(plan.created_at) > maxAgeMs)
    throw new Refusal(`${name} is older than 24 hours (${plan.created_at}). ${orElse}`);

  const journal = { path: `${planPath}.journal`, isNamed: false, isFound: true };
  // Once jobs are sent, many of the plan are gone.
  const started =
    plan.started_at !== undefined && existsSync(journal.path) ? plan : await startPlan(io, order, plan);
  if (started.job_ids.length === 0) {
    finish(io, order, started);
    report(io, order, { complete: true, accepted_jobs: 0 }, () => ['No job of the plan is left to delete.']);
    return;
  }
  await runDeletion(io, {
    ...requestOptions,
    ...order,
    journal,
    input: idsOfArguments(started.job_ids),
    inputName: printable(planPath),
    continueOnError: true,
    // A plan is never older.
    keyRetention: maxAgeMs,
  });
  if (io.exitCode === 0) finish(io, order, started);
}

/** Leaves out jobs that are gone. @throws Refusal if too many are, or if the rest is too large a share of the account */
async function startPlan(io: Io, order: SyncOrder, plan: Plan): Promise<Plan> {
  const planned = new Set(plan.job_ids);
  const present: string[] = [];
  let own = 0;
  for await (const id of ownJobs(io, order)) {
    own += 1;
    if (planned.has(id)) present.push(id);
  }
  const missing = planned.size - present.length;
  if (missing * 100 > plan.max_share * planned.size)
    throw new Refusal(
      `${counted(missing, 'job')} of ${wholeNumber(planned.size)} in the plan are gone: the account has changed. ` +
        'Nothing is deleted. Make a new plan.',
    );
  if (missing > 0) io.stderr.write(`${counted(missing, 'job')} of the plan are gone already.\n`);
  requireShare(present.length, own, plan.max_share);
  const started = { ...plan, job_ids: present, started_at: new Date(io.now()).toISOString() };
  writePrivately(order.planPath, started);
  return started;
}

function finish(io: Io, { planPath, memoryPath }: SyncOrder, plan: Plan): void {
  const applied = { ...plan, applied_at: new Date(io.now()).toISOString() };
  writePrivately(planPath, applied);
  writePrivately(memoryPath, memoryOf(applied));
}
