import { isJobId } from '@jobs-delete/proto/ids';
import { type Sentence, sentence } from '../../messages/messages.ts';
import type { ProblemCode } from '../../messages/problems.ts';
import { visible } from '../answer/echo.ts';
import type { Detail, Refusal } from '../answer/refusal.ts';
import { maxErrors } from '../answer/problem.ts';
import { createFaultList } from './fault-list.ts';
import { type JobList, aNumber } from './read-json-jobs.ts';

/** Returns the JSON pointer of the id at `index`, in the JSON form of the body. */
export function idPointer(index: number): string {
  return `/jobs/job/${String(index)}/id`;
}

/**
 * Returns the ids when every entry is a distinct job id. A refusal names one fault for each wrong entry, in the order of
 * the request, up to `errorLimit`. Of equal ids, all but the first are duplicates.
 */
export function checkJobIds(
  { ids, count }: JobList<unknown>,
  maxJobs: number,
  errorLimit = maxErrors,
): string[] | Refusal {
  if (count > maxJobs) return tooManyJobs(count, maxJobs);
  const faults = createFaultList(errorLimit);
  /** The first position of each id. */
  const seen = new Map<unknown, number>();
  for (const [index, id] of ids.entries()) {
    const code = faultOf(id, index, seen);
    if (code === undefined) continue;
    const echoed = typeof id === 'string' && id !== '' ? { jobId: id } : {};
    faults.add({ code, pointer: idPointer(index), ...echoed }, () =>
      code === 'job_id_duplicated' ? explainDuplicate(seen.get(id)) : explainJobId(id),
    );
    if (faults.truncated) break;
  }
  // Without a fault, every id is a string.
  return faults.refusal() ?? (ids as string[]);
}

function faultOf(id: unknown, index: number, seen: Map<unknown, number>): ProblemCode | undefined {
  if (id === undefined || id === null || id === '') return 'job_id_required';
  if (!isJobId(id)) return 'job_id_malformed';
  if (seen.has(id)) return 'job_id_duplicated';
  seen.set(id, index);
  return undefined;
}

function explainDuplicate(first = 0): Detail {
  return [sentence('id_duplicated', { entry: first + 1, pointer: idPointer(first) })];
}

function tooManyJobs(count: number, limit: number): Refusal {
  const code = 'too_many_jobs';
  const detail = [sentence('jobs_exceeded', { count, limit, requests: Math.ceil(count / limit) })];
  return { code, errors: [{ code, pointer: '/jobs/job', detail }] };
}

/** Explains why a value is not a job id. */
function explainJobId(id: unknown): Detail {
  if (id === undefined) return [sentence('id_absent')];
  if (id === null) return [sentence('id_null')];
  if (id === '') return [sentence('id_empty')];
  if (id === aNumber) return [sentence('id_is_number')];
  if (typeof id !== 'string') return [sentence('id_not_a_string')];
  return [explainText(id)];
}

function explainText(id: string): Sentence {
  const wrong = /[^A-Za-z0-9]/u.exec(id);
  if (wrong === null) return sentence('id_length', { count: id.length });
  const [character] = wrong;
  const position = wrong.index + 1;
  return /\s/.test(character)
    ? sentence('id_white_space', { position })
    : sentence('id_character', { found: visible(character), position });
}
