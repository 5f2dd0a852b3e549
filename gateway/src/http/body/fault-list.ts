import { jsonPointer, type JsonPath } from './scan-json.ts';
import { maxErrors } from '../answer/problem.ts';
import type { Detail, EntryFault, Refusal } from '../answer/refusal.ts';

export type FaultList = ReturnType<typeof createFaultList>;

/** The faults of one request, in its order, up to the number that the caller wants. */
export function createFaultList(limit: number) {
  const errors: EntryFault[] = [];
  const malformedAt = new Set<string>();
  let truncated = false;

  /** Calls `explain` only for the first faults, whose details are sent. */
  const add = (fault: Omit<EntryFault, 'detail'>, explain: () => Detail): void => {
    if (errors.length === limit) truncated = true;
    else errors.push(errors.length < maxErrors ? { ...fault, detail: explain() } : fault);
  };

  return {
    add,
    /** Adds `body_malformed`, at most once for each path. */
    addMalformed: (path: JsonPath, explain: () => Detail): void => {
      if (truncated) return;
      const pointer = jsonPointer(path);
      if (malformedAt.has(pointer)) return;
      malformedAt.add(pointer);
      add({ code: 'body_malformed', pointer }, explain);
    },
    /** True once a fault was left out: the caller can stop the search. */
    get truncated() {
      return truncated;
    },
    /** Undefined while there is no fault. */
    refusal: (): Refusal | undefined => {
      const first = errors[0];
      if (first === undefined) return undefined;
      return { code: first.code, errors, ...(truncated && { truncated }) };
    },
  };
}

/** Returns a refusal with one fault. */
export function malformed(path: JsonPath, detail: Detail): Refusal {
  const code = 'body_malformed';
  return { code, errors: [{ code, pointer: jsonPointer(path), detail }] };
}
