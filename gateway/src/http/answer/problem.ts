import { sentence, sentencesText, type Language } from '../../messages/messages.ts';
import {
  problemName,
  problemTexts,
  problemTitle,
  statusOf,
  type ProblemCode,
} from '../../messages/problems.ts';
import { echo } from './echo.ts';
import type { Detail, EntryFault, Refusal } from './refusal.ts';

/** An undefined member is not sent. */
export interface ProblemError {
  readonly pointer: string | undefined;
  readonly job_id: string | undefined;
  readonly header: string | undefined;
  readonly parameter: string | undefined;
  readonly code: ProblemCode;
  readonly message: string;
  /** Only the first `maxErrors` entries have one. */
  readonly detail: string | undefined;
}

/** An RFC 9457 problem. Its members are sent in this order. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly instance: string;
  readonly errors?: readonly ProblemError[];
  readonly errors_truncated?: true;
}

/**
 * The entries in `errors`, unless the caller prefers all. Later entries have no `detail`: 10,000 of them would be megabytes, and
 * block the event loop.
 */
export const maxErrors = 100;

/** The request that a problem answers. */
export interface ProblemContext {
  readonly language: Language;
  readonly requestId: string;
  /** The address of the pages of the problems, with its final slash. */
  readonly typeBase: string;
}

/** Always adds a non-empty `errors` to a 400 and to `job_not_found`. */
export function problemBody(
  refusal: Refusal,
  { language, requestId, typeBase }: ProblemContext,
): ProblemBody {
  const { code, header, parameter } = refusal;
  const faults = faultsOf(refusal);
  const truncated = refusal.truncated === true;
  return {
    type: typeBase + problemName(code),
    title: problemTitle(language, code, header ?? parameter),
    status: statusOf(code),
    detail: [
      explain(language, code, refusal.detail ?? faults[0]?.detail),
      ...countOfErrors(language, faults.length, truncated),
    ].join(' '),
    code,
    instance: `urn:uuid:${requestId}`,
    ...(faults.length > 0 && {
      errors: faults.map((fault, index) => problemError(fault, language, index < maxErrors)),
    }),
    ...(truncated && { errors_truncated: true as const }),
  };
}

function faultsOf({ code, header, parameter, detail, errors = [] }: Refusal): readonly EntryFault[] {
  if (errors.length > 0) return errors;
  const required = statusOf(code) === 400 || code === 'job_not_found';
  const fault = {
    code,
    ...(header !== undefined && { header }),
    ...(parameter !== undefined && { parameter }),
    ...(detail !== undefined && { detail }),
  };
  return required ? [fault] : [];
}

function problemError(
  { pointer, jobId, header, parameter, code, detail }: EntryFault,
  language: Language,
  isExplained: boolean,
): ProblemError {
  // Spreading optional members would take most of the time of 10,000 entries.
  return {
    pointer,
    job_id: jobId === undefined ? undefined : echo(jobId),
    header,
    parameter,
    code,
    message: problemTitle(language, code, header ?? parameter),
    detail: isExplained ? explain(language, code, detail) : undefined,
  };
}

function explain(language: Language, code: ProblemCode, detail: Detail | undefined): string {
  if (detail !== undefined) return sentencesText(language, detail);
  return problemTexts(language, code).remedy.replaceAll('`', '');
}

/** Returns nothing for a single error: `detail` explains it. */
function countOfErrors(language: Language, count: number, truncated: boolean): string[] {
  if (count < 2) return [];
  const code = truncated ? 'errors_truncated' : 'more_errors';
  return [sentencesText(language, [sentence(code, { count })])];
}
