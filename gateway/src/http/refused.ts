import type { Refusal } from './answer/problem.ts';

/** Whether a check has refused. */
export function isRefusal(result: object): result is Refusal {
  return 'code' in result;
}
