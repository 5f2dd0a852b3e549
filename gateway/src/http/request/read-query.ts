import { sentence } from '../../messages/sentences.ts';
import { excerpt } from '../answer/echo.ts';
import type { Refusal } from '../answer/refusal.ts';

export const maxWaitSeconds = 30;

/** Reads `wait` from the query of a URL: a whole number up to `maxWaitSeconds`. Other parameters are ignored. Default: 0. */
export function readWaitSeconds(url: string): number | Refusal {
  const start = url.indexOf('?');
  const values = start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).getAll('wait');
  if (values.length === 0) return 0;
  const [text = '', ...others] = values;
  const isRepeated = others.length > 0;
  const isValid = !isRepeated && /^(?:0|[1-9]\d?)$/.test(text) && Number(text) <= maxWaitSeconds;
  if (isValid) return Number(text);
  const fault = isRepeated
    ? sentence('parameter_repeated', { name: 'wait', count: values.length })
    : sentence('value_wrong', { value: excerpt(text) });
  return { code: 'query_invalid', parameter: 'wait', detail: [fault, sentence('expect_wait')] };
}
