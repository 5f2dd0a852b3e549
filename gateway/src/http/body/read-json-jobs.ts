import { decodeBody } from './decode-body.ts';
import { createFaultList, malformed } from './fault-list.ts';
import type { JsonPath } from './json-pointer.ts';
import { isRefusal, type Refusal } from '../answer/refusal.ts';
import { scanJson } from './scan-json.ts';

/** Stands for an id that is neither a string nor null. */
export const notAString = Symbol('not a string');
export type JsonId = string | null | undefined | typeof notAString;

export const maxBodyDepth = 32;

/**
 * Reads the ids of `{"jobs": {"job": [{"id": …}, …]}}`, and does not check them. Refuses a body of another shape and
 * names every such fault. Returns at most `maxJobs + 1` ids.
 */
export function readJsonJobs(body: Buffer, maxJobs: number): { readonly ids: JsonId[] } | Refusal {
  const text = decodeBody(body);
  if (isRefusal(text)) return text;

  const faults = createFaultList();
  const ids: JsonId[] = [];
  /** The outermost part of `jobs.job` that the text lacks so far. */
  let missing = [] as JsonPath | undefined;

  const stop = scanJson(text, maxBodyDepth, {
    duplicate: (path) => faults.addMalformed(path, 'json_member_duplicated'),
    value: (path, kind, readString) => {
      if (path.length > 4 || !isOnPathToId(path)) return;
      const index = Number(path[2]);
      if (path.length === 4) {
        if (index <= maxJobs)
          ids[index] = kind === 'string' ? readString() : kind === 'null' ? null : notAString;
      } else if (path.length === 3) {
        missing = undefined;
        if (index <= maxJobs) ids[index] = undefined;
        if (kind !== 'object') faults.addMalformed(path, 'entry_not_an_object');
      } else if (kind === 'object') {
        missing = pathToList.slice(0, path.length + 1);
      }
    },
  });

  if (stop !== undefined) return malformed(stop.path, stop.detail);
  if (missing !== undefined) {
    faults.addMalformed(missing, missing.length === 2 ? 'job_not_a_list' : 'jobs_not_an_object');
  }
  return faults.refusal() ?? { ids };
}

const pathToList = ['jobs', 'job'] as const;

/** Returns whether `jobs.job[index].id` starts with the path. An index is a number; a name is a string. */
function isOnPathToId(path: JsonPath): boolean {
  return (
    (path.length < 1 || path[0] === 'jobs') &&
    (path.length < 2 || path[1] === 'job') &&
    (path.length < 3 || typeof path[2] === 'number') &&
    (path.length < 4 || path[3] === 'id')
  );
}
