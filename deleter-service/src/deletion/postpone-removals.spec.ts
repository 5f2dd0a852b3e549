import { beforeEach, describe, expect, test } from '@jest/globals';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import { received } from '../testing/events.ts';
import { createVirtualClock, type VirtualClock } from '../testing/virtual-clock.ts';
import { parseDeletionAccepted, toDeletionAcceptedEvents } from './deletion-event.ts';
import type { ParsedPart } from './parsed-part.ts';
import { createPostponement } from './postpone-removals.ts';
import type { EventRecord } from '../event-log/event-log.ts';

describe('a worker that did not make the attempt itself', () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = createVirtualClock();
  });

  const create = () =>
    createPostponement({
      clock,
      store: { postpone: () => Promise.resolve(), findStates: () => Promise.resolve(['published']) },
    });
  const parse = (record: EventRecord): ParsedPart => {
    const event = received(record);
    const parsed = parseDeletionAccepted(event);
    if (parsed.kind === 'poison') throw new Error(parsed.reason);
    return { event, data: parsed.data };
  };
  const batch = { heartbeat: () => Promise.resolve(), signal: new AbortController().signal };
  const aPart = (jobs: number) => {
    const [event] = toDeletionAcceptedEvents(aDeletion(jobIds(jobs)));
    if (event === undefined) throw new Error('an event was expected');
    return parse(event);
  };
  /** Puts the part back on the log and hands it to another worker. */
  const handOver = (from: ReturnType<typeof create>, part: ParsedPart) => from.eventsOf([part]).map(parse);

  test('postpones the part of an attempt without an answer only when the attempt has ended', async () => {
    const [first, second, part] = [create(), create(), aPart(1)];
    first.onUnanswered([part]);
    const parts = handOver(first, part);
    await clock.advance(59_000);
    expect(await second.postpone(parts, batch, undefined)).toEqual({ completed: [], left: parts });
    await clock.advance(1_000);
    expect(await second.postpone(parts, batch, undefined)).toEqual({ completed: [], left: [] });
  });

  test('never postpones one of several parts that was tried', async () => {
    const [first, second, part] = [create(), create(), aPart(1_500)];
    first.onAttempt([part]);
    const parts = handOver(first, part);
    await clock.advance(600_000);
    expect(await second.postpone(parts, batch, undefined)).toEqual({ completed: [], left: parts });
    expect(await second.postpone([part], batch, undefined)).toEqual({ completed: [], left: [] });
  });
});
