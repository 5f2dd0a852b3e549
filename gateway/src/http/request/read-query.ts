import { type Sentence, sentence } from '../../messages/messages.ts';
import { excerpt } from '../answer/echo.ts';
import { isRefusal, type EntryFault, type Refusal } from '../answer/refusal.ts';

export const maxWaitSeconds = 30;
export const maxPageJobs = 10_000;
export const defaultPageJobs = 1_000;
/** An `after` need not be the id of a job. */
export const afterPattern = /^[A-Za-z0-9]{1,128}$/;

/** Reads `wait`: a whole number up to `maxWaitSeconds`. Default: 0. */
export function readWaitSeconds(url: string): number | Refusal {
  const isValid = (text: string) => /^(?:0|[1-9]\d?)$/.test(text) && Number(text) <= maxWaitSeconds;
  const wait = readParameter(queryOf(url), 'wait', isValid, sentence('expect_wait'));
  return isFault(wait) ? wait : Number(wait ?? 0);
}

export interface JobsQuery {
  /** Empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Reads `after` and `limit`. A refusal names each wrong one, in the order of the request. */
export function readJobsQuery(url: string): JobsQuery | Refusal {
  const query = queryOf(url);
  const isLimit = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxPageJobs;
  const after = readParameter(query, 'after', (text) => afterPattern.test(text), sentence('expect_after'));
  const limit = readParameter(query, 'limit', isLimit, sentence('expect_limit'));
  if (!isFault(after) && !isFault(limit))
    return { after: after ?? '', limit: Number(limit ?? defaultPageJobs) };
  const order = [...query.keys()];
  const errors = [after, limit]
    .filter(isFault)
    .toSorted((a, b) => order.indexOf(a.parameter) - order.indexOf(b.parameter));
  return { code: 'query_invalid', ...errors[0], errors };
}

type ParameterFault = EntryFault & { readonly parameter: string };

function isFault(value: string | ParameterFault | undefined): value is ParameterFault {
  return isRefusal(value);
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  // URLSearchParams drops the first question mark: a second one belongs to a name.
  return new URLSearchParams(start === -1 ? '' : url.slice(start));
}

/** Returns undefined for an absent parameter. The caller's other parameters are ignored. */
function readParameter(
  query: URLSearchParams,
  name: string,
  isValid: (text: string) => boolean,
  expected: Sentence,
): string | ParameterFault | undefined {
  const values = query.getAll(name);
  const [text, ...others] = values;
  if (text === undefined || (others.length === 0 && isValid(text))) return text;
  const fault =
    others.length > 0
      ? sentence('parameter_repeated', { name, count: values.length })
      : sentence('value_wrong', { value: excerpt(text) });
  return { code: 'query_invalid', parameter: name, detail: [fault, expected] };
}
