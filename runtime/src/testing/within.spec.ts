import { expect, test } from '@jest/globals';
import { within } from './within.ts';

const never = new Promise<never>(() => undefined);

test('settles like the promise', async () => {
  expect(await within(Promise.resolve(1), () => 'one')).toBe(1);
  await expect(within(Promise.reject(new Error('no')), () => 'one')).rejects.toThrow('no');
});

test('the message describes the state at the timeout', async () => {
  let events = 1;
  const waiting = within(never, () => `2 events; ${String(events)} came`, 10);
  events = 0;
  await expect(waiting).rejects.toThrow('not within 0.01 s: 2 events; 0 came');
});
