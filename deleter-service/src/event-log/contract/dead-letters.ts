import { describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { anEvent, createCollector, received } from '../../testing/events.ts';
import type { ContractContext } from './event-log.contract.ts';
import type { DeadLetter, EventLog } from '../event-log.ts';

const aLetter = (id: string, failedAtMs = 100, more: Partial<DeadLetter> = {}): DeadLetter => ({
  id,
  reason: 'its value is not JSON',
  attempts: 1,
  failedAtMs,
  event: received(anEvent(`key of ${id}`, Buffer.from([0, 255, 1])), 'topic/3/14'),
  ...more,
});

async function idsIn(log: EventLog): Promise<string[]> {
  return (await log.listDeadLetters(100)).map(({ id }) => id);
}

export function deadLetterCases(context: ContractContext): void {
  describe('list', () => listCases(context));
  describe('replay and discard', () => replayCases(context));
  describe('letters with one id', () => repeatedIdCases(context));
}

function listCases({ eventLog: log, reopen }: ContractContext): void {
  test('a letter is listed as it was added, byte by byte', async () => {
    const letter = aLetter('one', 123, { attempts: 7, reason: 'n’est pas conforme' });
    await log().addDeadLetters([letter]);
    expect(await log().listDeadLetters(10)).toEqual([letter]);
  });

  test('letters are listed oldest first, up to the requested number', async () => {
    await log().addDeadLetters([aLetter('third', 300), aLetter('first', 100)]);
    await log().addDeadLetters([aLetter('second', 200)]);
    expect(await idsIn(log())).toEqual(['first', 'second', 'third']);
    expect((await log().listDeadLetters(2)).map(({ id }) => id)).toEqual(['first', 'second']);
  });

  test('a letter replaces the one with the same id', async () => {
    await log().addDeadLetters([aLetter('one', 100)]);
    const later = aLetter('one', 200, { attempts: 2, reason: 'still not' });
    await log().addDeadLetters([later]);
    expect(await log().listDeadLetters(10)).toEqual([later]);
  });

  test('letters are still there after the log is opened again', async () => {
    const letter = aLetter('one');
    await log().addDeadLetters([letter, aLetter('two')]);
    await log().discardDeadLetter('two');
    await reopen();
    expect(await log().listDeadLetters(10)).toEqual([letter]);
  });

  test('adding no letters has no effect', async () => {
    await log().addDeadLetters([]);
    expect(await log().listDeadLetters(10)).toEqual([]);
  });
}

function replayCases({ eventLog: log }: ContractContext): void {
  test('a replay publishes the original event and removes the letter', async () => {
    const letter = aLetter('one');
    await log().addDeadLetters([letter, aLetter('two')]);
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, 'test.group', collector.handle);
    expect(await log().replayDeadLetter('one')).toBe(true);
    const [event] = await collector.until(1);
    const { key, headers, value } = letter.event;
    expect(event).toMatchObject({ key, headers });
    expect(event?.value.equals(value)).toBe(true);
    expect(await idsIn(log())).toEqual(['two']);
    expect(await log().replayDeadLetter('one')).toBe(false);
  });

  test('a discard removes the letter', async () => {
    await log().addDeadLetters([aLetter('one'), aLetter('two')]);
    expect(await log().discardDeadLetter('one')).toBe(true);
    expect(await log().discardDeadLetter('one')).toBe(false);
    expect(await idsIn(log())).toEqual(['two']);
  });

  test('an unknown id can be neither replayed nor discarded', async () => {
    expect(await log().replayDeadLetter('unknown')).toBe(false);
    expect(await log().discardDeadLetter('unknown')).toBe(false);
    expect(await log().listDeadLetters(10)).toEqual([]);
  });

  test('a letter can be added again after its replay', async () => {
    await log().addDeadLetters([aLetter('one')]);
    await log().replayDeadLetter('one');
    await log().addDeadLetters([aLetter('one', 500)]);
    expect(await idsIn(log())).toEqual(['one']);
  });
}

function repeatedIdCases({ eventLog: log }: ContractContext): void {
  test('among letters with one id the newest is listed and replayed, and all are removed', async () => {
    const letterAt = (position: string, failedAtMs: number) => {
      const event = received(anEvent(`key at ${position}`), position);
      return aLetter('one', failedAtMs, { event });
    };
    const newest = letterAt('topic/1/9', 300);
    await log().addDeadLetters([letterAt('topic/2/5', 100), letterAt('topic/0/7', 200)]);
    await log().addDeadLetters([newest, aLetter('two', 250)]);
    expect(await log().listDeadLetters(10)).toEqual([aLetter('two', 250), newest]);
    const collector = createCollector();
    await log().consume(deletionAcceptedTopic, 'test.group', collector.handle);
    expect(await log().replayDeadLetter('one')).toBe(true);
    expect(await log().replayDeadLetter('one')).toBe(false);
    expect(await idsIn(log())).toEqual(['two']);
    expect(await log().replayDeadLetter('two')).toBe(true);
    const events = await collector.until(2);
    expect(events.map(({ key }) => key).sort()).toEqual(['key at topic/1/9', 'key of two']);
  });

  test('a discard removes all letters with the id', async () => {
    const event = received(anEvent('key'), 'topic/2/5');
    await log().addDeadLetters([aLetter('one', 100), aLetter('one', 200, { event })]);
    expect(await log().discardDeadLetter('one')).toBe(true);
    expect(await log().listDeadLetters(10)).toEqual([]);
  });
}
