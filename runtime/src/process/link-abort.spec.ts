import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { linkAbort } from './link-abort.ts';

test('the parent aborts the signal, also if it was aborted before', () => {
  const parent = new AbortController();
  const before = linkAbort(parent.signal);
  expect(before.signal.aborted).toBe(false);
  parent.abort();
  expect(before.signal.aborted).toBe(true);
  expect(linkAbort(parent.signal).signal.aborted).toBe(true);
});

test('`abort` aborts its own signal only, with or without a parent', () => {
  const parent = new AbortController();
  for (const linked of [linkAbort(parent.signal), linkAbort(undefined)]) {
    linked.abort();
    expect(linked.signal.aborted).toBe(true);
  }
  expect(parent.signal.aborted).toBe(false);
});

test('an unlinked signal leaves nothing on its parent, and is not aborted with it', () => {
  const parent = new AbortController();
  const linked = linkAbort(parent.signal);
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1);
  linked.unlink();
  expect(getEventListeners(parent.signal, 'abort')).toEqual([]);
  parent.abort();
  expect(linked.signal.aborted).toBe(false);
});
