import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MemberNames } from './member-names.ts';

test('a repeated name is found among few and many names', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(20).map(String), fc.constantFrom('', '__proto__', '"', '"1'), fc.string()), {
        maxLength: 40,
        size: 'max',
      }),
      (sequence) => {
        const names = new MemberNames();
        const seen = new Set<string>();
        for (const name of sequence) {
          expect(names.add(name)).toBe(!seen.has(name));
          seen.add(name);
        }
      },
    ),
  );
});
