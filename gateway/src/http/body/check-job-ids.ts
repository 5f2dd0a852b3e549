import { isJobId } from '@jobs-delete/proto/job-id';
import type { ProblemCode } from '../../messages/messages.ts';
import { sentence } from '../../messages/sentences.ts';
import type { Refusal } from '../answer/refusal.ts';
import { explainJobId } from './explain-job-id.ts';
import { createFaultList } from './fault-list.ts';
import type { JobList } from './read-json-jobs.ts';

/** Returns the JSON pointer of the id at `index`, in the JSON form of the body. */
export function idPointer(index: number): string {
  return `/jobs/job/${String(index)}/id`;
}

/**
 * Returns the ids when every entry is a distinct job id. A refusal names one fault for each wrong entry, in the order of
 * the request. Of equal ids, all but the first are duplicates.
 */
export function checkJobIds({ ids, count }: JobList<unknown>, maxJobs: number): string[] | Refusal {
  if (count > maxJobs) return tooManyJobs(count, maxJobs);
  const faults = createFaultList();
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    const code = faultOf(id, seen);
    if (code === undefined) continue;
    const echoed = typeof id === 'string' && id !== '' ? { jobId: id } : {};
    const detail = code === 'job_id_duplicated' ? explainDuplicate(ids, id) : explainJobId(id);
    faults.add({ code, pointer: idPointer(index), ...echoed, detail });
    if (faults.truncated) break;
  }
  // Without a fault, every id is a string.
  return faults.refusal() ?? (ids as string[]);
}

function faultOf(id: unknown, seen: Set<string>): ProblemCode | undefined {
  if (id === undefined || id === null || id === '') return 'job_id_required';
  if (!isJobId(id)) return 'job_id_malformed';
  if (seen.has(id)) return 'job_id_duplicated';
  seen.add(id);
  return undefined;
}

function explainDuplicate(ids: readonly unknown[], id: unknown) {
  const first = ids.indexOf(id);
  return [sentence('id_duplicated', { entry: first + 1, pointer: idPointer(first) })];
}

function tooManyJobs(count: number, limit: number): Refusal {
  const code = 'too_many_jobs';
  const detail = [sentence('jobs_exceeded', { count, limit, requests: Math.ceil(count / limit) })];
  return { code, errors: [{ code, pointer: '/jobs/job', detail }] };
}
