import { readJsonJobs } from '@jobs-delete/gateway/http/body/read-json-jobs';
import type { Target } from '../fuzz.ts';
import { decodeUtf8, judgeIds, malformedOutcome, maxJobs, readerOutcome } from './job-outcome.ts';
import { isObject, jsonMarks, parseJson } from './json.ts';

export const jsonBody: Target = {
  name: 'json-body',
  seeds: [
    '{"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}',
    '\ufeff{"x": [1.5e-3, true, {"id": null}], "jobs": {"job": [{"id": "A\\u0042CD", "": "\\n\\ud83d\\ude00"}]}}',
    '{"jobs":{"job":[{"id":null},{"id":12},{"id":""},{},{"id":"AAAA"},{"id":"AAAA"},{"id":"BBBB"}]}}',
    // The greatest depth, one more, and an object whose names are hashed.
    `{"jobs":{"job":[{"id":"AAAA","x":${'['.repeat(28)}${']'.repeat(28)}}]}}`,
    `{"jobs":{"job":[{"id":"AAAA","x":${'['.repeat(29)}${']'.repeat(29)}}]}}`,
    '{"jobs":{"job":[{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"id":"AAAA"}]}}',
    '{"jobs":[],"jobs":{"job":{"id":"AAAA"}}}',
  ],
  words: [
    ...[...jsonMarks, '\\', '\\"', '\\u0069', '\\ud800', '\\udc00', '\\u0000', '\\/', '\\x'],
    ...[
      '"jobs"',
      '"job"',
      '"id"',
      '"__proto__"',
      '"constructor"',
      '"0"',
      '"ABCD"',
      'null',
      'true',
      'false',
      'NaN',
    ],
    ...[
      '{"id":"AAAA"},',
      '{"id":1},',
      '"\\u0069d":"AAAA",',
      '{}',
      '[]',
      '"a":1,',
      '//',
      '/**/',
      '"jobs":{"job":[]},',
    ],
    ...[
      '-',
      '.',
      'e',
      '1',
      '01',
      ' ',
      '\t',
      '\n',
      '\ufeff',
      '\u00a0',
      'Infinity',
      "'",
      '[[[[[[[[',
      ']]]]]]]]',
    ],
  ],
  run: (input) => readerOutcome(readJsonJobs(input, maxJobs)),
  judge: (input) => {
    const text = decodeUtf8(input)?.replace(/^\ufeff/, '');
    const value = text === undefined ? undefined : parseJson(text);
    if (text === undefined || value === undefined) return malformedOutcome;
    const structure = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
    const hasTwins = structure.split(':').length - 1 !== countMembers(value);
    const jobs: unknown = isObject(value) ? value.jobs : undefined;
    const list: unknown = isObject(jobs) ? jobs.job : undefined;
    if (hasTwins || depthOf(structure) > 32 || !Array.isArray(list)) return malformedOutcome;
    if (list.length === 0 || !list.every(isObject)) return malformedOutcome;
    return judgeIds(list.map((entry) => entry.id));
  },
};

/** JSON.parse keeps one of two members with the same name. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, child) => sum + countMembers(child), own);
}

function depthOf(structure: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of structure) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
