import { startRelay, type Relay } from '../deletion/relay-outbox.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { onRetry, type Shared } from './shared.ts';

/** Under load a batch gets time to grow: a publication costs as much for one deletion as for a hundred. */
const pace = { lingerMs: 150, recordAfterMs: 5_000 };

/** A relay without an api finds deletions by its sweep alone. One with an api gets each deletion in memory. */
const sweepMsAlone = 50;

export function startRelayRole(shared: Shared, eventLog: Pick<EventLog, 'publish'>): Relay {
  const { config, store, clock, random, metrics, stack } = shared;
  const relay = startRelay({
    store,
    clock,
    random,
    ...pace,
    eventLog: metrics.countPublished(eventLog),
    ...(!config.roles.has('api') && { sweepMs: sweepMsAlone }),
    onError: onRetry(shared, 'publication'),
  });
  stack.push('relay', () => relay.stop());
  metrics.measureOutbox(store);
  return relay;
}
