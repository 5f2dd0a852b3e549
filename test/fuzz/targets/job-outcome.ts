import { checkJobIds } from '@jobs-delete/gateway/http/body/check-job-ids';
import type { JobList } from '@jobs-delete/gateway/http/body/read-json-jobs';
import { isRefusal, type Refusal } from '@jobs-delete/gateway/http/answer/refusal';

/** A low limit, which mutations exceed. */
export const maxJobs = 6;

export const malformedOutcome = 'refused: body_malformed';

/** Returns what the reader of a body does, as a text. @throws Error for a refusal that breaks a rule of all refusals */
export function readerOutcome(list: JobList<unknown> | Refusal): string {
  const ids = isRefusal(list) ? list : checkJobIds(list, maxJobs);
  if (!isRefusal(ids)) return `accepted: ${ids.join(',')}`;
  const errors = ids.errors ?? [];
  const pointers = errors.map(({ pointer = 'none' }) => pointer);
  if (errors[0]?.code !== ids.code) throw new Error('the code is not that of the first error');
  if (errors.some(({ detail = [] }) => detail.length === 0)) throw new Error('an error has no detail');
  if (errors.length > 100) throw new Error(`there are ${errors.length} errors`);
  if (!pointers.every((pointer) => /^(?:\/(?:[^~/]|~[01])*)*$/u.test(pointer) && isWellFormed(pointer)))
    throw new Error(`one of these is no JSON pointer: ${pointers.join(' ')}`);
  if (ids.code === 'body_malformed' || ids.code === 'too_many_jobs') return `refused: ${ids.code}`;
  return `refused: ${errors.map(({ code, pointer }) => `${code} ${pointer ?? ''}`).join(', ')}`;
}

/** Returns whether strict JSON parsers accept the text: no half of a surrogate pair. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

/** Says what docs/http-api.md says of the ids of a request. @param ids the value of each entry; undefined when absent */
export function judgeIds(ids: readonly unknown[]): string {
  if (ids.length > maxJobs) return 'refused: too_many_jobs';
  const faults = ids.flatMap((id, index) => {
    const at = `/jobs/job/${index}/id`;
    if (id === undefined || id === null || id === '') return [`job_id_required ${at}`];
    const isId = typeof id === 'string' && id.length >= 4 && id.length <= 128 && !/[^A-Za-z0-9]/.test(id);
    if (!isId) return [`job_id_malformed ${at}`];
    return ids.indexOf(id) < index ? [`job_id_duplicated ${at}`] : [];
  });
  return faults.length === 0 ? `accepted: ${ids.join(',')}` : `refused: ${faults.join(', ')}`;
}

/** Returns the text of UTF-8, with its byte-order mark. Undefined for other bytes. */
export function decodeUtf8(input: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    return undefined;
  }
}
