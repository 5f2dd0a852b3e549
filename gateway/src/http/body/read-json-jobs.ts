import { decodeBody } from './decode-body.ts';
import { createFaultList, malformed } from './fault-list.ts';
import type { JsonPath } from './json-pointer.ts';
import type { Refusal } from '../answer/problem.ts';
import { scanJson } from './scan-json.ts';

/** Stands for an id that is neither a string nor null: it is malformed, whatever it is. */
export const notAString = Symbol('not a string');
export type JsonId = string | null | undefined | typeof notAString;

export const maxBodyDepth = 32;

/**
 * Reads the ids out of `{"jobs": {"job": [{"id": …}, …]}}`, as they are: whether they are job ids is checked
 * after. Refuses a body that has another shape, with all such faults. Of more than `maxJobs` entries the ids of
 * the first `maxJobs + 1` are given.
 */
export function readJsonJobs(body: Buffer, maxJobs: number): { readonly ids: JsonId[] } | Refusal {
  const text = decodeBody(body);
  if (typeof text !== 'string') return text;

  const faults = createFaultList();
  const ids: JsonId[] = [];
  /** The first part of the way to an entry that the text has not shown. */
  let missing = [] as JsonPath | undefined;

  const stop = scanJson(text, maxBodyDepth, {
    duplicate: (path) => faults.addMalformed(path, 'json_member_duplicated'),
    value: (path, kind, readString) => {
      if (path.length > 4 || !isOnTheWay(path)) return;
      const index = Number(path[2]);
      if (path.length === 4) {
        if (index <= maxJobs)
          ids[index] = kind === 'string' ? readString() : kind === 'null' ? null : notAString;
      } else if (path.length === 3) {
        missing = undefined;
        if (index <= maxJobs) ids[index] = undefined;
        if (kind !== 'object') faults.addMalformed(path, 'entry_not_an_object');
      } else if (kind === 'object') {
        missing = wayToList.slice(0, path.length + 1);
      }
    },
  });

  if (stop !== undefined) return malformed(stop.path, stop.detail);
  if (missing !== undefined) {
    faults.addMalformed(missing, missing.length === 2 ? 'job_not_a_list' : 'jobs_not_an_object');
  }
  return faults.refusal() ?? { ids };
}

const wayToList = ['jobs', 'job'] as const;

/** Whether the path is a beginning of `jobs.job[index].id`. An index is a number, and a name never is. */
function isOnTheWay(path: JsonPath): boolean {
  return (
    (path.length < 1 || path[0] === 'jobs') &&
    (path.length < 2 || path[1] === 'job') &&
    (path.length < 3 || typeof path[2] === 'number') &&
    (path.length < 4 || path[3] === 'id')
  );
}
