import { sentence, type SentenceCode } from '../../messages/messages.ts';
import { excerpt, visible } from '../answer/echo.ts';
import { maxErrors } from '../answer/problem.ts';
import { type Detail, type Refusal, isRefusal } from '../answer/refusal.ts';
import { decodeBody } from './read-body.ts';
import { createFaultList, malformed } from './fault-list.ts';
import { type JsonKind, type JsonPath, type JsonStop, scanJson } from './scan-json.ts';

/** Stands for an id that is a number. */
export const aNumber = Symbol('a number');
/** Stands for an id that is a boolean, a list or an object. */
export const notAString = Symbol('not a string');
export type JsonId = string | null | undefined | typeof aNumber | typeof notAString;

/** The ids of a body, and its number of jobs. */
export interface JobList<Id> {
  /** At most one more than the limit. */
  readonly ids: Id[];
  readonly count: number;
}

export const maxBodyDepth = 32;

/**
 * Reads the ids of `{"jobs": {"job": [{"id": …}, …]}}`, and does not check them. Refuses a body of another shape and
 * names every such fault, up to `errorLimit`. Returns at most `maxJobs + 1` ids.
 */
export function readJsonJobs(
  body: Buffer,
  maxJobs: number,
  errorLimit = maxErrors,
): JobList<JsonId> | Refusal {
  const text = decodeBody(body);
  if (isRefusal(text)) return text;

  const faults = createFaultList(errorLimit);
  const ids: JsonId[] = [];
  let count = 0;
  /** The outermost part of `jobs.job` that the text lacks so far. */
  let missing = [] as JsonPath | undefined;

  const stop = scanJson(text, maxBodyDepth, {
    duplicate: (path) =>
      faults.addMalformed(path, () => [
        sentence('json_member_duplicated', { name: excerpt(String(path.at(-1))) }),
      ]),
    value: (path, kind, readString) => {
      if (path.length > 4 || !isOnPathToId(path)) return;
      const index = Number(path[2]);
      if (path.length === 4) {
        if (index <= maxJobs) ids[index] = kind === 'string' ? readString() : standIn(kind);
      } else if (path.length === 3) {
        missing = undefined;
        count = index + 1;
        if (index <= maxJobs) ids[index] = undefined;
        if (kind !== 'object') faults.addMalformed(path, () => [sentence('entry_not_an_object')]);
      } else if (kind === 'object') {
        missing = pathToList.slice(0, path.length + 1);
      }
    },
  });

  if (stop !== undefined) return malformed(stop.path, explainJsonStop(text, stop, maxBodyDepth));
  if (missing !== undefined) {
    const code = missing.length === 2 ? 'job_not_a_list' : 'jobs_not_an_object';
    faults.addMalformed(missing, () => [sentence(code), sentence('json_form')]);
  }
  return faults.refusal() ?? { ids, count };
}

function standIn(kind: JsonKind): JsonId {
  if (kind === 'null') return null;
  return kind === 'number' ? aNumber : notAString;
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

/** Explains why the scan of a text has stopped: what is wrong, where, and how to correct it. */
export function explainJsonStop(text: string, { reason, at }: JsonStop, maxDepth: number): Detail {
  if (reason === 'too_deep') return [sentence('body_too_deep', { limit: maxDepth })];
  if (/^\ufeff?\s*</.test(text)) return [sentence('body_is_xml')];
  const place = placeOf(text, at);
  const code = text.codePointAt(at);
  if (code === undefined) return [sentence('json_ends', place), sentence('json_close')];
  const found = String.fromCodePoint(code);
  return [sentence('json_syntax', { found: visible(found), ...place }), sentence(remedyOf(text, at, found))];
}

/** Returns line and column of an index, both from 1. A byte-order mark has no column. */
function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line++;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

function remedyOf(text: string, at: number, found: string): SentenceCode {
  if (/[\p{L}'‘’“”«`]/u.test(found)) return 'json_quotes';
  if (found < ' ') return 'json_close';
  const follows = text.slice(0, at).trimEnd().at(-1);
  return /[\]}]/.test(found) && follows === ',' ? 'json_comma' : 'json_correct';
}
