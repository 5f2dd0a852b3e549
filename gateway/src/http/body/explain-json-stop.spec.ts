import { expect, test } from '@jest/globals';
import { sentence, type SentenceCode } from '../../messages/sentences.ts';
import { explainJsonStop } from './explain-json-stop.ts';
import { scanJson } from './scan-json.ts';

function explain(text: string) {
  const stop = scanJson(text, 3, { value: () => undefined, duplicate: () => undefined });
  if (stop === undefined) throw new Error(`${text} is valid`);
  return explainJsonStop(text, stop, 3);
}

test.each<[string, string, number, number, SentenceCode]>([
  ['[1}', '}', 1, 3, 'json_correct'],
  ['{"a": 1\n "b": 2}', '"', 2, 2, 'json_correct'],
  ['[\r\n1,\r\n]', ']', 3, 1, 'json_comma'],
  ['{"a": 1,\n\n  }', '}', 3, 3, 'json_comma'],
  ["{'a': 1}", "'", 1, 2, 'json_quotes'],
  ['{a: 1}', 'a', 1, 2, 'json_quotes'],
  ['[“a”]', '“', 1, 2, 'json_quotes'],
  ['{"a": "b\n"}', 'U+000A', 1, 9, 'json_close'],
  ['\ufeff[01]', '1', 1, 3, 'json_correct'],
  ['[\u00a0]', 'U+00A0', 1, 2, 'json_correct'],
  ['{"a":"\\x"}', '\\', 1, 7, 'json_correct'],
])('%j is wrong at %j, line %i, column %i', (text, found, line, column, remedy) => {
  expect(explain(text)).toEqual([sentence('json_syntax', { found, line, column }), sentence(remedy)]);
});

test.each([
  ['', 1, 1],
  ['\n\n', 3, 1],
  ['{"a": [1, 2', 1, 12],
  ['{"a": "b', 1, 9],
  ['\ufeff', 1, 1],
])('%j ends too early, at line %i, column %i', (text, line, column) => {
  expect(explain(text)).toEqual([sentence('json_ends', { line, column }), sentence('json_close')]);
});

test('recognizes XML', () => {
  for (const text of ['<jobs/>', '\ufeff \n<?xml version="1.0"?>'])
    expect(explain(text)).toEqual([sentence('body_is_xml')]);
});

test('states the limit of the nesting', () => {
  expect(explain('[[[[')).toEqual([sentence('body_too_deep', { limit: 3 })]);
});
