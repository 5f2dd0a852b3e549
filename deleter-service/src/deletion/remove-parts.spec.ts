import { expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { accept, acme, aDeletion, importJobs, jobIds, leaseDue } from '../testing/deletions.ts';
import { createCollector, received } from '../testing/events.ts';
import { mortal } from '../testing/mortal.ts';
import { openEventLog, openStore } from '../testing/open-adapters.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { parseDeletionAccepted, toDeletionAcceptedEvents } from './deletion-event.ts';
import { keysOf, removeParts, type ParsedPart, type Removed } from './remove-parts.ts';
import type { Deletion } from '../store/deletion.ts';

const newPath = temporaryFolder();
const steps = [1, 2, 3].flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, when })));

function partsOf(deletion: Deletion): ParsedPart[] {
  return toDeletionAcceptedEvents(deletion).map((record) => {
    const parsed = parseDeletionAccepted(received(record, `${deletionAcceptedTopic}/0/1`));
    if (parsed.kind === 'poison') throw new Error(parsed.reason);
    return { event: received(record), data: parsed.data };
  });
}

/** The log never delivers the event again, as if the part was postponed. */
test.each(steps)(
  'a worker that dies $when step $call leaves a due deletion, or an announced one',
  async (crash) => {
    const clock = createVirtualClock();
    const store = openStore(newPath());
    const eventLog = openEventLog(newPath(), { clock, random: createSeededRandom(1) });
    const announced = createCollector();
    await eventLog.consume(jobsDeletedTopic, 'test.listener', announced.handle);
    await importJobs(store, acme, jobIds(2));
    const deletion = await accept(store, jobIds(2));
    const parts = partsOf(deletion);
    const life = mortal(store, eventLog, crash);
    await expect(removeParts(parts, { ...life, clock, jobDeletedEvents: true })).rejects.toThrow('has died');
    await clock.advance(60_000);
    const due = await leaseDue(store, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER);
    expect(due.length + announced.events.length).toBeGreaterThan(0);
    if (due.length > 0) await removeParts(parts, { store, eventLog, clock, jobDeletedEvents: true });
    await clock.advance(60_000);
    expect(announced.events.map(({ headers }) => headers.ce_id)).toContain(`${deletion.id}.0`);
    expect((await store.findDeletion(deletion.id, acme))?.state).toBe('completed');
    await eventLog.close();
    await store.close();
  },
);

test('tells once how many jobs a call has removed, and when their deletions were accepted', async () => {
  const store = openStore(newPath());
  await importJobs(store, acme, jobIds(4));
  const first = await accept(store, jobIds(1), { acceptedAtMs: 1_000 });
  const second = await accept(store, jobIds(3).slice(1), { acceptedAtMs: 2_000 });
  const undated = partsOf(await accept(store, jobIds(1, 3))).map(({ event, data }) => ({
    event: { ...event, headers: {} },
    data,
  }));
  const parts = [...[first, second].flatMap(partsOf), ...undated];
  const removed: Removed[] = [];
  const eventLog = { publish: () => Promise.reject(new Error('announces nothing')) };
  const options = { store, eventLog, clock: createVirtualClock(), jobDeletedEvents: false };
  for (let call = 0; call < 2; call++)
    await removeParts(parts, { ...options, onRemoved: (effect) => removed.push(effect) });
  expect(removed).toEqual([{ jobs: 4, acceptedAtMs: [1_000, 2_000] }]);
  expect(keysOf([...parts, ...parts])).toEqual(
    parts.map(({ data }) => ({ deletionId: data.deletion_id, accountId: acme })),
  );
  await store.close();
});

test.each([
  ['refuses', { refused: [{ index: 0, reason: 'unknown' }] }, ['unknown']],
  ['keeps all jobs of', { refused: [], kept: ['1', '2'] }, []],
])('a part that the store %s is neither announced nor recorded', async (_, answer, reasons) => {
  const parts = partsOf(aDeletion(jobIds(2)));
  const store = {
    removeJobs: () => Promise.resolve({ ...answer, parts: [], removed: 0 }),
    recordRemovals: () => Promise.reject(new Error('records nothing')),
  };
  const eventLog = { publish: () => Promise.reject(new Error('announces nothing')) };
  const options = { store, eventLog, clock: createVirtualClock(), jobDeletedEvents: true };
  expect(await removeParts(parts, options)).toEqual(
    reasons.map((reason) => ({ event: parts[0]?.event, reason })),
  );
});
