import { beforeEach, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobDeletedTopic } from '@jobs-delete/proto/events';
import { anEvent, createCollector, createGate, keysOf } from '../../testing/events.ts';
import type { ContractContext } from './event-log.contract.ts';
import type { EventLog } from '../event-log.ts';

const group = 'test.group';

export function offsetCases(context: ContractContext): void {
  let log: EventLog;
  beforeEach(() => {
    log = context.eventLog();
  });
  const farFuture = () => Date.now() + 3_600_000;

  test('what a group has processed does not come again to its next consumer', async () => {
    const first = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, first.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await first.until(1);
    await consumer.stop();

    await log.publish(deletionAcceptedTopic, [anEvent('two')]);
    const second = createCollector();
    await log.consume(deletionAcceptedTopic, group, second.handle);
    expect(keysOf(await second.until(1))).toEqual(['two']);
  });

  test('tells how much a group has left to process: all of it before its first consumer comes, then the rest', async () => {
    const lag = () => log.measureLag(deletionAcceptedTopic, group);
    expect(await lag()).toBe(0);
    await log.publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two'), anEvent('three')]);
    expect(await lag()).toBe(3);
    const collector = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, collector.handle);
    await collector.until(3);
    await consumer.stop();
    expect(await lag()).toBe(0);
    await log.publish(deletionAcceptedTopic, [anEvent('four')]);
    expect(await lag()).toBe(1);
    expect(await log.measureLag(deletionAcceptedTopic, 'another.group')).toBe(4);
    expect(await log.measureLag(jobDeletedTopic, group)).toBe(0);
  });

  test('what was processed stays so when the log is opened again', async () => {
    const before = createCollector();
    await log.consume(deletionAcceptedTopic, group, before.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    await before.until(2);
    await log.publish(deletionAcceptedTopic, [anEvent('three')]);
    await before.until(3);

    log = await context.reopen();
    const after = createCollector();
    await log.publish(deletionAcceptedTopic, [anEvent('four')]);
    await log.consume(deletionAcceptedTopic, group, after.handle);
    expect(keysOf(await after.until(1))).toEqual(['four']);
  });

  test('what was published and not processed comes when the log is opened again', async () => {
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    log = await context.reopen();
    const collector = createCollector();
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });

  test('stopping waits for the batch at hand, which then counts as processed', async () => {
    const started = createGate();
    const finish = createGate();
    const collector = createCollector(async () => {
      started.open();
      await finish.opened;
    });
    const consumer = await log.consume(deletionAcceptedTopic, group, collector.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await started.opened;
    let stopped = false;
    const stopping = consumer.stop().then(() => (stopped = true));
    expect(stopped).toBe(false);
    finish.open();
    await stopping;
    expect(keysOf(collector.events)).toEqual(['one']);

    await log.publish(deletionAcceptedTopic, [anEvent('two')]);
    const next = createCollector();
    await log.consume(deletionAcceptedTopic, group, next.handle);
    expect(keysOf(await next.until(1))).toEqual(['two']);
  });

  test('a batch that is left because of the stop comes again to the next consumer', async () => {
    const started = createGate();
    const consumer = await log.consume(deletionAcceptedTopic, group, async (_, { signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('left');
    });
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await started.opened;
    await consumer.stop();
    const next = createCollector();
    await log.consume(deletionAcceptedTopic, group, next.handle);
    expect(keysOf(await next.until(1))).toEqual(['one']);
  });

  test('a consumer that has stopped is given nothing more; stopping twice is harmless', async () => {
    const stopped = createCollector();
    const consumer = await log.consume(deletionAcceptedTopic, group, stopped.handle);
    await consumer.stop();
    await consumer.stop();
    const next = createCollector();
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await log.consume(deletionAcceptedTopic, group, next.handle);
    await next.until(1);
    expect(stopped.events).toEqual([]);
  });

  test('an event that one of the groups has not processed never expires', async () => {
    const started = createGate();
    const quick = createCollector();
    const slow = await log.consume(deletionAcceptedTopic, 'test.slow', async (_, { signal }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('left');
    });
    await log.consume(deletionAcceptedTopic, 'test.quick', quick.handle);
    await log.publish(deletionAcceptedTopic, [anEvent('one'), anEvent('two')]);
    await quick.until(2);
    await started.opened;
    await log.expireEvents(farFuture(), 100);
    await slow.stop();
    const next = createCollector();
    await log.consume(deletionAcceptedTopic, 'test.slow', next.handle);
    expect(keysOf(await next.until(2)).sort()).toEqual(['one', 'two']);
  });

  test('an event that comes again and again because its handler fails never expires', async () => {
    let fail = true;
    const failed = createGate();
    const collector = createCollector(() => {
      if (!fail) return Promise.resolve();
      failed.open();
      return Promise.reject(new Error('not yet'));
    });
    await log.publish(deletionAcceptedTopic, [anEvent('one')]);
    await log.consume(deletionAcceptedTopic, group, collector.handle);
    await failed.opened;
    await log.expireEvents(farFuture(), 100);
    fail = false;
    expect(keysOf(await collector.until(1))).toEqual(['one']);
  });
}
