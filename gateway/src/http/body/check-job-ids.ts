import { isJobId } from '@jobs-delete/proto/job-id';
import type { ProblemCode } from '../../messages/messages.ts';
import { createFaultList } from './fault-list.ts';
import type { Refusal } from '../answer/problem.ts';

/** Where the id of the entry at `index` is, in the JSON form of the body. */
export function idPointer(index: number): string {
  return `/jobs/job/${String(index)}/id`;
}

/**
 * Undefined when every entry is a job id and none is there twice. One fault an entry, in the order of the
 * request; of equal ids all but the first are at fault.
 */
export function checkJobIds(ids: readonly unknown[], maxJobs: number): Refusal | undefined {
  if (ids.length > maxJobs) {
    return { code: 'too_many_jobs', errors: [{ code: 'too_many_jobs', pointer: '/jobs/job' }] };
  }
  const faults = createFaultList();
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    const code = faultOf(id, seen);
    if (code === undefined) continue;
    const echoed = typeof id === 'string' && id !== '' ? { jobId: id } : {};
    faults.add({ code, pointer: idPointer(index), ...echoed });
    if (faults.truncated) break;
  }
  return faults.refusal();
}

function faultOf(id: unknown, seen: Set<string>): ProblemCode | undefined {
  if (id === undefined || id === null || id === '') return 'job_id_required';
  if (!isJobId(id)) return 'job_id_malformed';
  if (seen.has(id)) return 'job_id_duplicated';
  seen.add(id);
  return undefined;
}
