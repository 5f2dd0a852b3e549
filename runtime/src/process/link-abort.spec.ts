import { getEventListeners, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('the time aborts the signal, though garbage is collected before', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const parent = new AbortController();
  const linked = linkAbort(parent.signal, 20);
  collectGarbage();
  await once(linked.signal, 'abort');
  linked.unlink();
  expect(parent.signal.aborted).toBe(false);
});

test('an unlinked signal is not aborted by the time', async () => {
  const linked = linkAbort(undefined, 1);
  linked.unlink();
  await once(linkAbort(undefined, 20).signal, 'abort');
  expect(linked.signal.aborted).toBe(false);
});
