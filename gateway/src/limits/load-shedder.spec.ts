import { expect, test } from '@jest/globals';
import { createLoadShedder, type LoadShedder } from './load-shedder.ts';

const bounds = { maxConcurrent: 8, maxBufferedBytes: 1_000_000 };

/** Serves requests of an account until one is refused. */
function fill(shedder: LoadShedder, accountId: string) {
  const served = [];
  for (;;) {
    const admission = shedder.admit(accountId);
    if (admission?.enter() !== true) return served;
    served.push(admission);
  }
}

test('one account gets three quarters of the permits, and another one still gets some', () => {
  const shedder = createLoadShedder(bounds);
  const flood = fill(shedder, 'flood');
  expect(flood).toHaveLength(6);
  expect(shedder.isFull()).toBe(false);
  expect(fill(shedder, 'other')).toHaveLength(2);
  expect([shedder.isFull(), shedder.admit('third')]).toEqual([true, undefined]);
  for (const admission of flood) admission.leave();
  expect(shedder.state()).toMatchObject({ serving: 2, limit: 8 });
  expect(shedder.admit('third')?.enter()).toBe(true);
});

test('a request without a complete body takes no permit, and is refused after it if none is left', () => {
  const shedder = createLoadShedder(bounds);
  const slow = shedder.admit('flood');
  expect(shedder.state().serving).toBe(0);
  fill(shedder, 'flood');
  expect(slow?.enter()).toBe(false);
  slow?.leave();
  expect(shedder.state().serving).toBe(6);
});

test('a maximum of 0 allows any number of requests', () => {
  const shedder = createLoadShedder({ ...bounds, maxConcurrent: 0 });
  for (let count = 0; count < 5_000; count++) expect(shedder.admit('flood')?.enter()).toBe(true);
  expect(shedder.isFull()).toBe(false);
});

test('one account gets three quarters of the memory, and a request that leaves returns its part once', () => {
  const shedder = createLoadShedder(bounds);
  const [first, second] = [shedder.admit('flood'), shedder.admit('flood')];
  expect([first?.hold(500_000), second?.hold(250_000), second?.hold(1)]).toEqual([true, true, false]);
  expect(shedder.admit('other')?.hold(200_000)).toBe(true);
  first?.leave();
  first?.leave();
  expect(shedder.state().bufferedBytes).toBe(450_000);
  expect(second?.hold(200_000)).toBe(true);
});
