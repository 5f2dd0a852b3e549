import { expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { accept, acme, importJobs, jobIds, leaseDue } from '../testing/deletions.ts';
import { createCollector, received } from '../testing/events.ts';
import { mortal } from '../testing/mortal.ts';
import { openEventLog, openStore } from '../testing/open-adapters.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createVirtualClock } from '../testing/virtual-clock.ts';
import { parseDeletionAccepted, toDeletionAcceptedEvents } from './deletion-event.ts';
import { removeParts, type ParsedPart } from './remove-parts.ts';

const newPath = temporaryFolder();
const steps = [1, 2, 3].flatMap((call) => (['before', 'after'] as const).map((when) => ({ call, when })));

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
    const parts = toDeletionAcceptedEvents(deletion).map((record): ParsedPart => {
      const parsed = parseDeletionAccepted(received(record, `${deletionAcceptedTopic}/0/1`));
      if (parsed.kind === 'poison') throw new Error(parsed.reason);
      return { event: received(record), data: parsed.data };
    });

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
