import { describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { anEvent, createCollector, createGate, keysOf } from '../../testing/events.ts';
import type { ContractContext } from './event-log.contract.ts';

const group = 'test.group';

export function consumingCases(context: ContractContext): void {
  describe('delivery', () => deliveryCases(context));
  describe('order', () => orderCases(context));
  describe('handlers', () => handlerCases(context));
}

function deliveryCases({ eventLog: log }: ContractContext): void {
  test('a consumer receives an event as it was published, byte by byte', async () => {
    const value = Buffer.from([0, 255, 128, 10, 13, 0, 195]);
    const headers = { ce_type: 'a-type', traceparent: '00-ab-cd-01', note: 'é, ñ, 日本' };
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    await log().publish(deletionAcceptedTopic, [
      { key: 'clé-1', headers: { ce_id: 'an-id-é', ...headers }, value },
      { key: 'clé-2', headers, value: Buffer.from('texte: é, 日本') },
    ]);
    const [event, text] = await collector.until(2);
    expect(event).toMatchObject({ key: 'clé-1', headers: { ce_id: 'an-id-é', ...headers } });
    expect(event?.value.equals(value)).toBe(true);
    expect(event?.position).not.toBe('');
    expect(text).toMatchObject({ key: 'clé-2', headers });
    expect(text?.value.toString()).toBe('texte: é, 日本');
  });

  test('a group receives events published before its first consumer', async () => {
    await log().publish(deletionAcceptedTopic, [anEvent('early')]);
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('late')]);
    expect(keysOf(await collector.until(2)).sort()).toEqual(['early', 'late']);
  });

  test('a consumer receives events of its topic only', async () => {
    const accepted = createCollector();
    const deleted = createCollector();
    await log().consume(deletionAcceptedTopic, group, accepted.handle);
    await log().consume(jobsDeletedTopic, 'test.listener', deleted.handle);
    await log().publish(jobsDeletedTopic, [anEvent('gone')]);
    await log().publish(deletionAcceptedTopic, [anEvent('wanted')]);
    expect(keysOf(await accepted.until(1))).toEqual(['wanted']);
    expect(keysOf(await deleted.until(1))).toEqual(['gone']);
  });

  test('two groups each receive every event, and a blocked one does not delay the other', async () => {
    const failing = { until: createGate() };
    const second = createCollector();
    const first = createCollector(() => failing.until.opened);
    await log().consume(deletionAcceptedTopic, 'test.first', first.handle);
    await log().consume(deletionAcceptedTopic, 'test.second', second.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    expect(keysOf(await second.until(2)).sort()).toEqual(['one', 'two']);
    expect(first.events).toHaveLength(0);
    failing.until.open();
    expect(keysOf(await first.until(2)).sort()).toEqual(['one', 'two']);
  });
}

function orderCases({ eventLog: log }: ContractContext): void {
  test('the events of a key keep their order over many batches, each once', async () => {
    const collector = createCollector();
    await log().consume(jobsDeletedTopic, group, collector.handle);
    for (let call = 0; call < 20; call++) {
      const events = Array.from({ length: 100 }, (_, index) =>
        anEvent(`key${index % 4}`, `${call}:${index}`),
      );
      await log().publish(jobsDeletedTopic, events);
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

  test('the events of one publication keep their order, each once', async () => {
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    for (let call = 0; call < 20; call++) {
      const events = Array.from({ length: 50 }, (_, index) => anEvent(`key${index}`, `${call}:${index}`));
      await log().publish(deletionAcceptedTopic, events);
    }
    const values = (await collector.until(1_000)).map(({ value }) => value.toString().split(':').map(Number));
    expect(values).toHaveLength(1_000);
    for (let call = 0; call < 20; call++) {
      const indexes = values.filter(([of]) => of === call).map(([, index]) => index);
      expect(indexes).toEqual(Array.from({ length: 50 }, (_, index) => index));
    }
  });

  test('no event of a key is delivered while a batch with that key is handled', async () => {
    const gate = createGate();
    let handling = 0;
    const atOnce: number[] = [];
    const collector = createCollector(async () => {
      atOnce.push(++handling);
      await gate.opened;
      handling--;
    });
    await log().consume(jobsDeletedTopic, group, collector.handle);
    await log().publish(jobsDeletedTopic, [anEvent('same', '1')]);
    await log().publish(jobsDeletedTopic, [anEvent('same', '2')]);
    gate.open();
    await collector.until(2);
    expect(Math.max(...atOnce)).toBe(1);
  });
}

function handlerCases({ eventLog: log }: ContractContext): void {
  test('a batch is delivered again, whole, after its handler has failed', async () => {
    const attempts: string[][] = [];
    const collector = createCollector((batch) => {
      attempts.push(keysOf(batch));
      return attempts.length < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await log().publish(deletionAcceptedTopic, [anEvent('same', '1'), anEvent('same', '2')]);
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    const events = await collector.until(2);
    expect(events.map(({ value }) => value.toString())).toEqual(['1', '2']);
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    for (const attempt of attempts.slice(1)) expect(attempt.slice(0, 1)).toEqual(attempts[0]?.slice(0, 1));
  });

  test('a handler that throws synchronously has failed too', async () => {
    let attempts = 0;
    const collector = createCollector(() => {
      if (++attempts === 1) throw new Error('at once');
      return Promise.resolve();
    });
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });

  test('a handler can publish events and send heartbeats', async () => {
    const listener = createCollector();
    await log().consume(jobsDeletedTopic, 'test.listener', listener.handle);
    const collector = createCollector(async (batch, { heartbeat }) => {
      await heartbeat();
      await log().publish(
        jobsDeletedTopic,
        batch.map(({ key }) => anEvent(`${key} is gone`)),
      );
    });
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    expect(keysOf(await listener.until(1))).toEqual(['one is gone']);
  });

  test('a log in use reports no problem', async () => {
    expect(await log().check()).toBeUndefined();
  });

  test('publishing no events has no effect', async () => {
    await log().publish(deletionAcceptedTopic, []);
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });
}
