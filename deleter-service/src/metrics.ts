import { createFreshValue } from '@jobs-delete/runtime/telemetry/health';
import {
  expiryGauge,
  measuredGauges,
  poolGauge,
  requestMetrics,
} from '@jobs-delete/runtime/telemetry/metrics';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { AcceptDeletion } from './deletion/accept-deletion.ts';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { Removed } from './deletion/remove-parts.ts';
import { ownMethods, type AnsweredCall } from './grpc/call-interceptors.ts';
import type { EventLog, PartitionLag } from './event-log/event-log.ts';
import type { DeletionStore, Outbox, Store } from './store/store.ts';

export type DeleterMetrics = ReturnType<typeof createDeleterMetrics>;

/** A value is measured again when it is older than 5 s, however many scrapes there are. */
const measurement = { freshMs: 5_000, patienceMs: 2_000 };

/** Creates every metric of the deleter. No label value comes from a caller: each label has a few fixed values. */
export function createDeleterMetrics(registry: Registry, clock: Pick<Clock, 'now'>) {
  return {
    pool: poolGauge(registry, 'store'),
    onAnswered: callMetrics(registry),
    countAccepted: acceptMetrics(registry),
    measureGroups: groupMetrics(registry),
    measureCertificate: (expiresAtMs: () => number) => expiryGauge(registry, 'deleter', expiresAtMs),
    ...removalMetrics(registry, clock),
    onRetry: retryMetrics(registry),
    measureOutbox: (store: Pick<Store, 'measureOutbox'>) => measureOutbox(store, registry, clock),
    countPublished: publicationMetrics(registry),
    measureLag: (read: () => Promise<readonly PartitionLag[]>) => measureLag(read, registry),
  };
}

function counter(registry: Registry, name: string, help: string): Counter {
  return new Counter({ name, help, registers: [registry] });
}

function callMetrics(registry: Registry) {
  const observe = requestMetrics(registry, {
    protocol: 'grpc',
    target: 'method',
    targets: [...ownMethods, 'other'],
    outcome: 'code',
    countHelp: 'Calls by method (those of health and reflection are "other") and by the code of the answer.',
    durationHelp: 'From the headers of a call to its status.',
  });
  return ({ method, code, ms }: AnsweredCall) => observe(method, code, ms);
}

function acceptMetrics(registry: Registry) {
  const deletions = counter(
    registry,
    'deletions_accepted_total',
    'Deletions accepted. A replay is not counted again.',
  );
  const jobs = counter(registry, 'jobs_accepted_total', 'Jobs of the deletions accepted.');
  const exceeded = counter(
    registry,
    'deletions_over_limit_total',
    'Requests refused because their account would exceed its limit of deletions.',
  );
  return (accept: AcceptDeletion): AcceptDeletion =>
    async (request) => {
      const answer = await accept(request);
      if (answer.kind === 'limit-exceeded') exceeded.inc();
      if (answer.kind === 'accepted' && !answer.replayed) {
        deletions.inc();
        jobs.inc(request.jobIds.length);
      }
      return answer;
    };
}

function groupMetrics(registry: Registry) {
  const registers = [registry];
  const groupRequests = new Histogram({
    name: 'group_commit_requests',
    help: 'Requests that shared a call of the store.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    registers,
  });
  const groupJobs = new Histogram({
    name: 'group_commit_jobs',
    help: 'Jobs of the requests that shared a call of the store.',
    buckets: [1, 10, 100, 500, 1_000, 2_000, 5_000, 10_000],
    registers,
  });
  return (store: DeletionStore): DeletionStore => ({
    ...store,
    acceptDeletions: (requests, answer, isWanted) => {
      groupRequests.observe(requests.length);
      groupJobs.observe(requests.reduce((sum, { jobIds }) => sum + jobIds.length, 0));
      return store.acceptDeletions(requests, answer, isWanted);
    },
  });
}

function removalMetrics(registry: Registry, clock: Pick<Clock, 'now'>) {
  const jobsRemoved = counter(registry, 'jobs_removed_total', 'Jobs removed permanently.');
  const deadLetters = counter(registry, 'dead_letters_total', 'Events that went to the dead letters.');
  const postponed = counter(
    registry,
    'removals_postponed_total',
    'Deletions whose removal failed while others worked. They are published again later.',
  );
  const removal = new Histogram({
    name: 'accepted_to_removed_seconds',
    help: 'From the acceptance of a deletion to the removal of its jobs, by event.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
    registers: [registry],
  });
  return {
    onRemoved: ({ jobs, acceptedAtMs }: Removed) => {
      jobsRemoved.inc(jobs);
      const nowMs = clock.now();
      for (const atMs of acceptedAtMs) removal.observe(Math.max(0, nowMs - atMs) / 1_000);
    },
    onDeadLetter: () => deadLetters.inc(),
    onPostponed: (deletions: number) => postponed.inc(deletions),
  };
}

function publicationMetrics(registry: Registry) {
  const published = counter(registry, 'events_published_total', 'Events of accepted deletions on the log.');
  return (eventLog: Pick<EventLog, 'publish'>): Pick<EventLog, 'publish'> => ({
    publish: async (topic, events) => {
      await eventLog.publish(topic, events);
      published.inc(events.length);
    },
  });
}

function retryMetrics(registry: Registry) {
  const retries = new Counter({
    name: 'retries_total',
    help: 'Attempts to publish or to remove that failed and were repeated.',
    labelNames: ['what'],
    registers: [registry],
  });
  // Both labels show from the start, with 0.
  const counters = { publication: retries.labels('publication'), removal: retries.labels('removal') };
  return (what: keyof typeof counters) => counters[what].inc();
}

function measureOutbox(
  store: Pick<Store, 'measureOutbox'>,
  registry: Registry,
  clock: Pick<Clock, 'now'>,
): void {
  const get = createFreshValue({ ...measurement, read: () => store.measureOutbox() });
  const depth = {
    name: 'outbox_deletions',
    help: 'Deletions that are not completed, by state; at most 100,000 of each are counted (10,000 in SQLite).',
    label: 'state',
  };
  measuredGauges(registry, depth, get, ({ accepted, published }) => [
    ['accepted', accepted.depth],
    ['published', published.depth],
  ]);
  const age = {
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest of the counted deletions, by state; 0 if there are none.',
    label: 'state',
  };
  const ageOf = ({ oldestAtMs }: Outbox) =>
    oldestAtMs === undefined ? 0 : Math.max(0, clock.now() - oldestAtMs) / 1_000;
  measuredGauges(registry, age, get, ({ accepted, published }) => [
    ['accepted', ageOf(accepted)],
    ['published', ageOf(published)],
  ]);
}

function measureLag(read: () => Promise<readonly PartitionLag[]>, registry: Registry): void {
  const get = createFreshValue({ ...measurement, read });
  const label = 'partition';
  const lag = {
    name: 'consumer_lag_events',
    help: 'Events on the log that no worker has processed yet.',
    label,
  };
  measuredGauges(registry, lag, get, (all) =>
    all.map(({ partition, events }) => [String(partition), events]),
  );
  const offset = {
    name: 'consumer_offset_events',
    help: 'The offset up to which the workers have processed a partition.',
    label,
  };
  measuredGauges(registry, offset, get, (all) =>
    all.map(({ partition, processed }) => [String(partition), processed]),
  );
}
