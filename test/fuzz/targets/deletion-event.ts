import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDeletionAccepted } from '@jobs-delete/deleter-service/deletion/deletion-event';
import { fits, type JsonSchema } from '@jobs-delete/deleter-service/testing/json-schema';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { root } from '../../readme/readme.ts';
import type { Target } from '../fuzz.ts';
import { decodeUtf8 } from './job-outcome.ts';
import { jsonMarks, parseJson } from './json.ts';

const schema = JSON.parse(
  readFileSync(join(root, 'proto', 'schemas', `${deletionAcceptedTopic}.json`), 'utf8'),
) as JsonSchema;

export const deletionEvent: Target = {
  name: 'deletion-event',
  seeds: [
    '{"deletion_id":"d1","account_id":"a1","part":0,"parts":1,"jobs":[{"id":"ABC123","claim":"c1"}]}',
    '{"deletion_id":"d1","account_id":"a1","part":1,"parts":2,"jobs":[{"id":"ABC1","claim":"1"},{"id":"DEF4","claim":"2"}]}',
  ],
  words: [
    ...[
      '"deletion_id"',
      '"account_id"',
      '"part"',
      '"parts"',
      '"jobs"',
      '"id"',
      '"claim"',
      '"__proto__"',
      '""',
      '"x"',
    ],
    ...[...jsonMarks, '\\u0041', '{"id":"BBBB","claim":"9"},', 'null', 'true', '[]', '{}', '1.0'],
    ...[
      '-1',
      '0',
      '1',
      '2',
      '1e0',
      '0.5',
      '-0',
      '"0"',
      '\ufeff',
      '\\ud800',
      ' ',
      '"part":0,',
      '"parts":3,',
      '"jobs":[],',
    ],
  ],
  run: (value) => {
    const parsed = parseDeletionAccepted({
      key: '',
      position: '',
      value,
      headers: { ce_type: deletionAcceptedTopic },
    });
    return parsed.kind === 'poison' ? 'poison' : `part: ${JSON.stringify(parsed.data)}`;
  },
  judge: (input, outcome) => {
    const value = parseJson(decodeUtf8(input) ?? '');
    if (!fits(value, schema)) return 'poison';
    const { part, parts } = value as { part: number; parts: number };
    // The schema bounds no number; doubles are exact up to here.
    if (parts > Number.MAX_SAFE_INTEGER) return outcome;
    return part < parts ? `part: ${JSON.stringify(value)}` : 'poison';
  },
};
