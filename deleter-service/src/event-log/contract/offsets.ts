import { describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { anEvent, createCollector, createGate, keysOf, sumOfLag } from '../../testing/events.ts';
import type { ContractContext } from './event-log.contract.ts';

const group = 'test.group';

export function offsetCases(context: ContractContext): void {
  describe('progress', () => progressCases(context));
  describe('stop', () => stopCases(context));
  describe('expiry', () => expiryCases(context));
}

function progressCases({ eventLog: log, reopen }: ContractContext): void {
  test('the next consumer of a group receives no processed event again', async () => {
    const first = createCollector();
    const consumer = await log().consume(deletionAcceptedTopic, group, first.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await first.until(1);
    await consumer.stop();

    await log().publish(deletionAcceptedTopic, [anEvent('two')]);
    const second = createCollector();
    await log().consume(deletionAcceptedTopic, group, second.handle);
    expect(keysOf(await second.until(1))).toEqual(['two']);
  });

  test('the lag of a group counts all its unprocessed events, also before its first consumer', async () => {
    const lag = () => sumOfLag(log(), deletionAcceptedTopic, group);
    expect(await lag()).toBe(0);
    await log().publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two'), anEvent('three')]);
    expect(await lag()).toBe(3);
    const collector = createCollector();
    const consumer = await log().consume(deletionAcceptedTopic, group, collector.handle);
    await collector.until(3);
    await consumer.stop();
    expect(await lag()).toBe(0);
    await log().publish(deletionAcceptedTopic, [anEvent('four')]);
    expect(await lag()).toBe(1);
    expect(await sumOfLag(log(), deletionAcceptedTopic, 'another.group')).toBe(4);
    expect(await sumOfLag(log(), jobsDeletedTopic, group)).toBe(0);
  });

  test('processed events stay processed when the log is opened again', async () => {
    const before = createCollector();
    await log().consume(deletionAcceptedTopic, group, before.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    await before.until(2);
    await log().publish(deletionAcceptedTopic, [anEvent('three')]);
    await before.until(3);

    await reopen();
    const after = createCollector();
    await log().publish(deletionAcceptedTopic, [anEvent('four')]);
    await log().consume(deletionAcceptedTopic, group, after.handle);
    expect(keysOf(await after.until(1))).toEqual(['four']);
  });

  test('unprocessed events are delivered after the log is opened again', async () => {
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await reopen();
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });
}

function stopCases({ eventLog: log }: ContractContext): void {
  test('stop waits for the running handler, and its batch is processed', async () => {
    const started = createGate();
    const finish = createGate();
    const collector = createCollector(async () => {
      started.open();
      await finish.opened;
    });
    const consumer = await log().consume(deletionAcceptedTopic, group, collector.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await started.opened;
    let stopped = false;
    const stopping = consumer.stop().then(() => (stopped = true));
    expect(stopped).toBe(false);
    finish.open();
    await stopping;
    expect(keysOf(collector.events)).toEqual(['one']);

    await log().publish(deletionAcceptedTopic, [anEvent('two')]);
    const next = createCollector();
    await log().consume(deletionAcceptedTopic, group, next.handle);
    expect(keysOf(await next.until(1))).toEqual(['two']);
  });

  test('the next consumer receives a batch that the handler left because of a stop', async () => {
    const started = createGate();
    const consumer = await log().consume(deletionAcceptedTopic, group, async (_, { signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('left');
    });
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await started.opened;
    await consumer.stop();
    const next = createCollector();
    await log().consume(deletionAcceptedTopic, group, next.handle);
    expect(keysOf(await next.until(1))).toEqual(['one']);
  });

  test('a stopped consumer receives no more events, and a second stop has no effect', async () => {
    const stopped = createCollector();
    const consumer = await log().consume(deletionAcceptedTopic, group, stopped.handle);
    await consumer.stop();
    await consumer.stop();
    const next = createCollector();
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await log().consume(deletionAcceptedTopic, group, next.handle);
    await next.until(1);
    expect(stopped.events).toEqual([]);
  });
}

function expiryCases({ eventLog: log }: ContractContext): void {
  const farFuture = () => Date.now() + 3_600_000;

  test('an event that a group has not processed never expires', async () => {
    const started = createGate();
    const quick = createCollector();
    const slow = await log().consume(deletionAcceptedTopic, 'test.slow', async (_, { signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('left');
    });
    await log().consume(deletionAcceptedTopic, 'test.quick', quick.handle);
    await log().publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    await quick.until(2);
    await started.opened;
    await log().expireEvents(farFuture(), 100);
    await slow.stop();
    const next = createCollector();
    await log().consume(deletionAcceptedTopic, 'test.slow', next.handle);
    expect(keysOf(await next.until(2)).sort()).toEqual(['one', 'two']);
  });

  test('an event whose handler keeps failing never expires', async () => {
    let fail = true;
    const failed = createGate();
    const collector = createCollector(() => {
      if (!fail) return Promise.resolve();
      failed.open();
      return Promise.reject(new Error('not yet'));
    });
    await log().publish(deletionAcceptedTopic, [anEvent('one')]);
    await log().consume(deletionAcceptedTopic, group, collector.handle);
    await failed.opened;
    await log().expireEvents(farFuture(), 100);
    fail = false;
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });
}
