import { expect, test } from '@jest/globals';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { openEventLog } from '../testing/open-adapters.ts';
import { anEvent } from '../testing/events.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { EventLog } from './event-log.ts';
import { openLater } from './open-event-log.ts';

const newPath = temporaryFolder();

function setUp() {
  let isAway = true;
  const opened: EventLog[] = [];
  const open = () => {
    if (isAway) return Promise.reject(new Error('no broker'));
    const log = openEventLog(newPath(), { clock: systemClock, random: systemRandom });
    opened.push(log);
    return Promise.resolve(log);
  };
  return { log: openLater(open), opened, comeBack: () => (isAway = false) };
}
const publish = (log: Pick<EventLog, 'publish'>) => log.publish(deletionAcceptedTopic, [anEvent('key')]);

test('publishing fails while the log is away, and works once it is there', async () => {
  const { log, opened, comeBack } = setUp();
  const failure = await publish(log).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Fault);
  expect(failure).toMatchObject({ code: 'unavailable', message: 'no broker' });
  expect(await log.check()).toBe('no broker');
  comeBack();
  await Promise.all([publish(log), publish(log)]);
  expect(opened).toHaveLength(1);
  expect(await log.check()).toBeUndefined();
  await log.close();
  await expect(opened[0]?.publish(deletionAcceptedTopic, [anEvent('late')])).rejects.toThrow();
});

test('it closes whether it was ever opened or not, and is not opened afterwards', async () => {
  const { log, opened, comeBack } = setUp();
  await log.close();
  comeBack();
  await expect(publish(log)).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
  expect(opened).toEqual([]);
});
