import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { safeJson } from './safe-json.ts';

test.each([
  ['a C1 control character', '\u009b31mred'],
  ['a bidirectional override', 'abc\u202egpj.exe'],
  ['a line separator', 'a\u2028b'],
  ['an invisible tag beyond the basic plane', 'a\u{e0041}b'],
  ['DEL', 'a\u007fb'],
])('%s is escaped, and read back unchanged', (_, text) => {
  const json = safeJson({ text });
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual({ text });
});

test('any value is read back unchanged, and letters of every language stay', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(safeJson(text))).toBe(text);
      expect(safeJson(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
  expect(safeJson('Müller, Ørsted, 山田')).toBe('"Müller, Ørsted, 山田"');
});
