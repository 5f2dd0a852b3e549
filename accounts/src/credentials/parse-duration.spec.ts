import { expect, test } from '@jest/globals';
import { parseDuration } from './credential.ts';

test.each([
  ['1s', 1_000],
  ['15m', 900_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['2w', 1_209_600_000],
  ['36500d', 3_153_600_000_000],
])('%s is %d ms', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each([
  ...[
    '',
    '0d',
    '00d',
    '01d',
    '-1d',
    '+1d',
    '1.5d',
    '1',
    'd',
    '1 d',
    ' 1d',
    '1d ',
    '1d\n',
    '1D',
    '1y',
    '1ms',
    '1d2h',
  ],
  ...['36501d', '9999999999w', '99999999999s', '1e3s', '0x1s', '١d', 'NaNd', 'Infinityd'],
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
