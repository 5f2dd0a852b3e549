import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { Consumer, EventLog, EventRecord } from '../event-log/event-log.ts';
import type { Deletion } from '../store/deletion.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds } from '../testing/deletions.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openEventLog, openStore } from '../testing/open-adapters.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { startRemovalWorker } from './remove-jobs.ts';

const newPath = temporaryFolder();
const sick = 'sick-account';

describe('when the removals of one account fail', () => {
  let clock: VirtualClock;
  let store: Failing<Store>;
  let log: EventLog;
  let worker: Consumer | undefined;
  let sickFails: ((remove: () => Promise<unknown>) => Promise<never>) | undefined;
  let postponed: string[];
  let announced: (string | undefined)[];

  beforeEach(async () => {
    clock = createVirtualClock();
    store = failing(openStore(newPath()));
    log = openEventLog(newPath(), { clock, random: createSeededRandom(1) });
    [postponed, announced, sickFails, worker] = [[], [], undefined, undefined];
    await log.consume(jobsDeletedTopic, 'test.listener', (events) => {
      announced.push(...events.map(({ headers }) => headers.ce_id));
      return Promise.resolve();
    });
    await importJobs(store.port, acme, jobIds(10));
    await importJobs(store.port, sick, jobIds(10));
  });
  afterEach(async () => {
    await worker?.stop();
    await log.close();
    await store.port.close();
  });

  const startWithSick = async () => {
    const removeJobs: Store['removeJobs'] = (parts) =>
      sickFails !== undefined && parts.some(({ accountId }) => accountId === sick)
        ? sickFails(() => store.port.removeJobs(parts))
        : store.port.removeJobs(parts);
    worker = await startRemovalWorker({
      store: {
        removeJobs,
        recordRemovals: (...given) => store.port.recordRemovals(...given),
        postpone: (...given) => store.port.postpone(...given),
      },
      eventLog: log,
      clock,
      random: createSeededRandom(2),
      jobDeletedEvents: true,
      onError: () => undefined,
      onDeadLetter: () => undefined,
      onPostponed: (accountId) => postponed.push(accountId),
    });
  };
  const failStore = (times: number) => {
    for (const method of ['removeJobs', 'postpone'] as const) store.fail(method, times);
  };
  const publish = (events: readonly EventRecord[]) => log.publish(deletionAcceptedTopic, events);
  const stateOf = async ({ id, accountId }: Deletion) =>
    (await store.port.findDeletion(id, accountId))?.state;
  const acceptAndPublish = async (ids: readonly string[]) => {
    const deletion = await accept(store.port, ids);
    await publish(toDeletionAcceptedEvents(deletion));
    return deletion;
  };
  const acceptBoth = async () => {
    const ofSick = await accept(store.port, ['job0001'], { accountId: sick });
    const ofWell = await accept(store.port, ['job0001']);
    return { ofSick, ofWell, events: [ofSick, ofWell].flatMap(toDeletionAcceptedEvents) };
  };
  const reject = () => Promise.reject(new Fault('unavailable', 'its shard is down'));
  const hang = () => new Promise<never>(() => undefined);

  test.each([
    ['fail', reject, 1_000],
    ['hang', hang, 3_000],
  ])('those of others in the batch go on at once (%s)', async (_, fails, withinMs) => {
    sickFails = fails;
    await startWithSick();
    const { ofWell, events } = await acceptBoth();
    await publish(events);
    await clock.advance(withinMs);
    expect(await stateOf(ofWell)).toBe('completed');
  });

  test('they are postponed, and removed when they are published again', async () => {
    sickFails = reject;
    await startWithSick();
    const { ofSick, events } = await acceptBoth();
    await publish(events);
    await clock.advance(20_000);
    expect(postponed).toEqual([sick]);
    // The next batch is processed.
    const next = await acceptAndPublish(['job0002']);
    await clock.advance(1_000);
    expect(await stateOf(next)).toBe('completed');

    sickFails = undefined;
    const query = { fromMs: 0, untilMs: clock.now() * 2, maxDeletions: 10, maxJobs: 10 };
    const dueAtMs = clock.now() + 61_000;
    const [due] = await store.port.leaseDue({ ...query, nowMs: dueAtMs, exceptAccounts: [] });
    expect(due?.id).toBe(ofSick.id);
    await publish(toDeletionAcceptedEvents(ofSick));
    await clock.advance(1_000);
    expect(await stateOf(ofSick)).toBe('completed');
    expect(await log.listDeadLetters(10)).toEqual([]);
  });

  test('further removals of the account are postponed after one attempt', async () => {
    sickFails = reject;
    await startWithSick();
    await publish((await acceptBoth()).events);
    await clock.advance(20_000);
    const more = await accept(store.port, ['job0002'], { accountId: sick });
    const well = await accept(store.port, ['job0003']);
    await publish([more, well].flatMap(toDeletionAcceptedEvents));
    await clock.advance(100);
    expect(postponed).toEqual([sick, sick]);
    expect(await stateOf(well)).toBe('completed');
  });

  test('what an attempt without an answer has removed is announced when it is published again', async () => {
    sickFails = (remove) => remove().then(reject);
    await startWithSick();
    const { ofSick, events } = await acceptBoth();
    await publish(events);
    await clock.advance(20_000);
    expect(postponed).toEqual([sick]);
    expect(await store.port.countJobs(sick)).toBe(9);
    expect(await stateOf(ofSick)).not.toBe('completed');
    expect(announced).not.toContain(`${ofSick.id}.0`);
    // Another worker, which knows nothing of that attempt.
    await worker?.stop();
    sickFails = undefined;
    await startWithSick();
    await publish(toDeletionAcceptedEvents(ofSick));
    await clock.advance(1_000);
    expect(await stateOf(ofSick)).toBe('completed');
    expect(announced).toContain(`${ofSick.id}.0`);
  });

  test('a removed part without announcement keeps its deletion open, whatever other parts do', async () => {
    await importJobs(store.port, sick, jobIds(1_500));
    sickFails = (remove) => remove().then(reject);
    await startWithSick();
    const deletion = await accept(store.port, jobIds(1_500), { accountId: sick });
    const [first, second] = toDeletionAcceptedEvents(deletion);
    if (!first || !second) throw new Error('two parts were expected');
    const well = await accept(store.port, ['job0001']);
    await publish([first, ...toDeletionAcceptedEvents(well)]);
    await clock.advance(20_000);
    sickFails = undefined;
    await publish([second]);
    await clock.advance(10_000);
    expect(await stateOf(deletion)).toBe('accepted');
    await publish([first]);
    await clock.advance(1_000);
    expect(await stateOf(deletion)).toBe('completed');
    expect(announced).toEqual(expect.arrayContaining([`${deletion.id}.0`, `${deletion.id}.1`]));
  });

  test('nothing is postponed while nothing works', async () => {
    sickFails = reject;
    failStore(1_000);
    await startWithSick();
    const { ofSick, ofWell, events } = await acceptBoth();
    await publish(events);
    await clock.advance(600_000);
    expect(postponed).toEqual([]);
    sickFails = undefined;
    failStore(0);
    await clock.advance(10_000);
    // A relay publishes what was postponed meanwhile.
    await publish(events);
    await clock.advance(10_000);
    expect(await stateOf(ofWell)).toBe('completed');
    expect(await stateOf(ofSick)).toBe('completed');
  });
});
