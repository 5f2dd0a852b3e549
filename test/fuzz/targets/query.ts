import { parse } from 'node:querystring';
import { isRefusal } from '@jobs-delete/gateway/http/answer/refusal';
import { readJobsQuery, readWaitSeconds } from '@jobs-delete/gateway/http/request/read-query';
import type { Target } from '../fuzz.ts';

/** An input is the query of an address. */
export const query: Target = {
  name: 'query',
  seeds: [
    'wait=30',
    'after=ABC123&limit=1000',
    'limit=10000&after=a&x=y',
    'w%61it=%31',
    'wait=1&wait=2&limit=0&after=',
  ],
  words: [
    ...[
      'wait=',
      'after=',
      'limit=',
      '&',
      '=',
      '%',
      '%00',
      '%30',
      '%2',
      '+',
      ';',
      '#',
      '?',
      '1',
      '30',
      '31',
      '10000',
      '10001',
    ],
    ...['-1', '1e1', ' ', 'é', '%c3%a9', '%ff', 'A'.repeat(128), 'wait=0', 'limit=1', '&&', '%77ait='],
  ],
  run: (input) => {
    const url = `/v1/jobs?${input.toString('latin1')}`;
    const [wait, page] = [readWaitSeconds(url), readJobsQuery(url)];
    const list = isRefusal(page)
      ? page.errors?.map(({ parameter }) => parameter).join(' ')
      : [page.after, page.limit];
    return JSON.stringify([isRefusal(wait) ? 'refused' : wait, list]);
  },
  judge: (input) => {
    const sent = parse(input.toString('latin1'), '&', '=', { maxKeys: 0 });
    const { wait = '0', after, limit = '1000' } = sent;
    const isWait = isWhole(wait) && Number(wait) <= 30;
    const isLimit = isWhole(limit) && Number(limit) >= 1 && Number(limit) <= 10_000;
    const isAfter = after === undefined || (typeof after === 'string' && isId(after));
    const wrong = Object.keys(sent).filter(
      (name) => (name === 'after' && !isAfter) || (name === 'limit' && !isLimit),
    );
    const list = wrong.length > 0 ? wrong.join(' ') : [after ?? '', Number(limit)];
    return JSON.stringify([isWait ? Number(wait) : 'refused', list]);
  },
};

function isWhole(text: string | string[]): boolean {
  return typeof text === 'string' && String(parseInt(text, 10)) === text && !text.startsWith('-');
}

function isId(text: string): boolean {
  return text.length >= 1 && text.length <= 128 && !/[^A-Za-z0-9]/.test(text);
}
