import { beforeEach, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobDeletedTopic } from '@jobs-delete/proto/events';
import { anEvent, createCollector, createGate, keysOf } from '../../testing/events.ts';
import type { ContractContext } from './event-log.contract.ts';
import type { EventLog } from '../event-log.ts';

const group = 'test.group';

export function consumingCases(context: ContractContext): void {
  let log: EventLog;
  beforeEach(() => {
    log = context.eventLog();
  });

  test('an event comes as it was published, byte by byte', async () => {
    const value = Buffer.from([0, 255, 128, 10, 13, 0, 195]);
    const headers = { ce_type: 'a-type', traceparent: '00-ab-cd-01', note: 'é, ñ, 日本' };
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [
      { key: 'clé-1', id: 'an-id-é', headers, value },
      { key: 'clé-2', id: 'other', headers, value: 'texte: é, 日本' },
    ]);
    const [event, text] = await collector.until(2);
    expect(event).toMatchObject({ key: 'clé-1', headers: { ce_id: 'an-id-é', ...headers } });
    expect(event?.value.equals(value)).toBe(true);
    expect(event?.position).not.toBe('');
    expect(text).toMatchObject({ key: 'clé-2', headers: { ce_id: 'other', ...headers } });
    expect(text?.value.toString()).toBe('texte: é, 日本');
  });

  test('events of a key come in the order of their publication where the key decides, each once, over many batches', async () => {
    const collector = createCollector();
    await log.consume(jobDeletedTopic, group, collector.handle);
    for (let call = 0; call < 20; call++) {
      const events = Array.from({ length: 100 }, (_, index) =>
        anEvent(`key${index % 4}`, `${call}:${index}`),
      );
      await log.publish(jobDeletedTopic, events);
    }
    const events = await collector.until(2_000);
    expect(events).toHaveLength(2_000);
    for (const key of ['key0', 'key1', 'key2', 'key3']) {
      const numbers = events
        .filter((event) => event.key === key)
        .map(({ value }) => value.toString().split(':').map(Number))
        .map(([call = 0, index = 0]) => call * 100 + index);
      expect(numbers).toHaveLength(500);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    expect(new Set(events.map(({ position }) => position)).size).toBe(2_000);
  });

  test('what one call publishes comes in its order, each once, over many calls', async () => {
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    for (let call = 0; call < 20; call++) {
      const events = Array.from({ length: 50 }, (_, index) => anEvent(`key${index}`, `${call}:${index}`));
      await log.publish(deletionAcceptedTopic, events);
    }
    const events = await collector.until(1_000);
    expect(events).toHaveLength(1_000);
    const values = events.map(({ value }) => value.toString().split(':').map(Number));
    for (let call = 0; call < 20; call++) {
      const indexes = values.filter(([of]) => of === call).map(([, index]) => index);
      expect(indexes).toEqual(Array.from({ length: 50 }, (_, index) => index));
    }
  });

  test('events from before the first consumer of a group are seen', async () => {
    await log.publish(deletionAcceptedTopic, [anEvent('early')]);
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('late')]);
    expect(keysOf(await collector.until(2)).sort()).toEqual(['early', 'late']);
  });

  test('a batch comes again, whole, when its handler has failed', async () => {
    const attempts: string[][] = [];
    const collector = createCollector((batch) => {
      attempts.push(keysOf(batch));
      return attempts.length < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await log.publish(deletionAcceptedTopic, [anEvent('same', '1'), anEvent('same', '2')]);
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    const events = await collector.until(2);
    expect(events.map(({ value }) => value.toString())).toEqual(['1', '2']);
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    for (const attempt of attempts.slice(1)) expect(attempt.slice(0, 1)).toEqual(attempts[0]?.slice(0, 1));
  });

  test('a handler that throws at once has failed too', async () => {
    let attempts = 0;
    const collector = createCollector(() => {
      if (++attempts === 1) throw new Error('at once');
      return Promise.resolve();
    });
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });

  test('nothing of a key comes while a batch with it is being handled where the key decides', async () => {
    const gate = createGate();
    let handling = 0;
    const atOnce: number[] = [];
    const collector = createCollector(async () => {
      atOnce.push(++handling);
      await gate.opened;
      handling--;
    });
    await log.consume(jobDeletedTopic, group, collector.handle);
    await log.publish(jobDeletedTopic, [anEvent('same', '1')]);
    await log.publish(jobDeletedTopic, [anEvent('same', '2')]);
    gate.open();
    await collector.until(2);
    expect(Math.max(...atOnce)).toBe(1);
  });

  test('two groups each get everything, and one that fails does not hold up the other', async () => {
    const failing = { until: createGate() };
    const second = createCollector();
    const first = createCollector(() => failing.until.opened);
    await log.consume(deletionAcceptedTopic, 'test.first', first.handle);
    await log.consume(deletionAcceptedTopic, 'test.second', second.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    expect(keysOf(await second.until(2)).sort()).toEqual(['one', 'two']);
    expect(first.events).toHaveLength(0);
    failing.until.open();
    expect(keysOf(await first.until(2)).sort()).toEqual(['one', 'two']);
  });

  test('topics are kept apart', async () => {
    const accepted = createCollector();
    const deleted = createCollector();
    await log.consume(deletionAcceptedTopic, group, accepted.handle);
    await log.consume(jobDeletedTopic, 'test.listener', deleted.handle);
    await log.publish(jobDeletedTopic, [anEvent('gone')]);
    await log.publish(deletionAcceptedTopic, [anEvent('wanted')]);
    expect(keysOf(await accepted.until(1))).toEqual(['wanted']);
    expect(keysOf(await deleted.until(1))).toEqual(['gone']);
  });

  test('publishing nothing does nothing', async () => {
    await log.publish(deletionAcceptedTopic, []);
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });

  test('a handler may publish, and send heartbeats', async () => {
    const listener = createCollector();
    await log.consume(jobDeletedTopic, 'test.listener', listener.handle);
    const collector = createCollector(async (batch, { heartbeat }) => {
      await heartbeat();
      await log.publish(
        jobDeletedTopic,
        batch.map(({ key }) => anEvent(`${key} is gone`)),
      );
    });
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    expect(keysOf(await listener.until(1))).toEqual(['one is gone']);
  });

  test('a log in use finds nothing wrong with itself', async () => {
    expect(await log.check()).toBeUndefined();
  });
}
