import { expect, test } from '@jest/globals';
import { callHere } from './sqlite-calls.ts';

test('a call that throws returns a rejected promise', async () => {
  const { double, fail } = callHere({
    double: (value: number) => value * 2,
    fail: (): number => {
      throw new Error('no');
    },
    close: () => undefined,
  });
  expect(await double(21)).toBe(42);
  await expect(fail()).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
});
