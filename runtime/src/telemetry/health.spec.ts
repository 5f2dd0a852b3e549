import { expect, test } from '@jest/globals';
import { createFreshValue } from './health.ts';

const patient = { patienceMs: 60_000 };

test('a fresh answer is reused', async () => {
  let reads = 0;
  const get = createFreshValue({ read: () => Promise.resolve(++reads), freshMs: 3_600_000, ...patient });
  expect(await get()).toEqual({ kind: 'value', value: 1 });
  expect(await get()).toEqual({ kind: 'value', value: 1 });
});

test('an expired answer is read again, also after a failure', async () => {
  const results = [Promise.resolve('up'), Promise.reject(new Error('down')), Promise.resolve('up again')];
  for (const result of results) result.catch(() => undefined);
  const get = createFreshValue({
    read: () => results.shift() ?? Promise.reject(new Error('no more')),
    freshMs: 0,
    ...patient,
  });
  expect(await get()).toEqual({ kind: 'value', value: 'up' });
  expect(await get()).toEqual({ kind: 'failed', error: new Error('down') });
  expect(await get()).toEqual({ kind: 'value', value: 'up again' });
});

test('concurrent callers share a read, and one that times out does not cancel it', async () => {
  const answers: ((value: string) => void)[] = [];
  const read = () => new Promise<string>((resolve) => answers.push(resolve));
  const get = createFreshValue({ read, freshMs: 0, patienceMs: 1 });
  expect(await Promise.all([get(), get()])).toEqual([{ kind: 'late' }, { kind: 'late' }]);
  const third = get();
  answers[0]?.('slow');
  expect(await third).toEqual({ kind: 'value', value: 'slow' });
  expect(answers).toHaveLength(1);
});
