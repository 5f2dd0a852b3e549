import { createFreshValue } from '@jobs-delete/runtime/telemetry/fresh-value';
import { expiryGauge, measuredGauge, poolGauge } from '@jobs-delete/runtime/telemetry/gauges';
import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { requestMetrics } from '@jobs-delete/runtime/telemetry/request-metrics';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { AcceptDeletion } from './deletion/accept-deletion.ts';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { Removed } from './deletion/remove-jobs.ts';
import { ownMethods, type AnsweredCall } from './grpc/observe-calls.ts';
import type { DeletionStore, OutboxStore } from './store/store.ts';

export interface DeleterMetrics {
  onAnswered(call: AnsweredCall): void;
  /** Counts what is accepted through it, a replay not again. */
  countAccepted(accept: AcceptDeletion): AcceptDeletion;
  /** Measures how many requests share a call of the store. */
  measureGroups(store: DeletionStore): DeletionStore;
  measureCertificate(expiresAtMs: () => number): void;
  onRemoved(removed: Removed): void;
  onDeadLetter(): void;
  onRetry(what: 'publication' | 'removal'): void;
  measureOutbox(store: Pick<OutboxStore, 'measureOutbox'>): void;
  /** @param read how many events wait for the workers */
  measureLag(read: () => Promise<number>): void;
}

/** Asked at each scrape, however many scrape. */
const measurement = { freshMs: 5_000, patienceMs: 2_000 };

/** Every metric of the deleter. No label comes from a caller: each has a few values, known beforehand. */
export function createDeleterMetrics(
  registry: Registry,
  pool: MongoPool,
  clock: Pick<Clock, 'now'>,
): DeleterMetrics {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const observe = requestMetrics(registry, {
    protocol: 'grpc',
    target: 'method',
    targets: [...ownMethods, 'other'],
    outcome: 'code',
    countHelp: 'Calls by method (those of health and reflection are "other") and by the code of the answer.',
    durationHelp: 'From the headers of a call to its status.',
  });
  const deletionsAccepted = counter('deletions_accepted_total', 'Deletions accepted, a replay not again.');
  const jobsAccepted = counter('jobs_accepted_total', 'Jobs of the deletions accepted.');
  const jobsRemoved = counter('jobs_removed_total', 'Jobs removed for good.');
  const deadLetters = counter('dead_letters_total', 'Events that went to the dead letters.');
  const removal = new Histogram({
    name: 'accepted_to_removed_seconds',
    help: 'From the acceptance of a deletion to the removal of its jobs, by event.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
    registers,
  });
  const retries = new Counter({
    name: 'retries_total',
    help: 'Attempts to publish or to remove that failed and were repeated.',
    labelNames: ['what'],
    registers,
  });
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
  poolGauge(registry, 'store', pool);

  const retriesOf = { publication: retries.labels('publication'), removal: retries.labels('removal') };

  return {
    onAnswered: ({ method, code, ms }) => observe(method, code, ms),
    countAccepted: (accept) => async (request) => {
      const answer = await accept(request);
      if (answer.kind === 'accepted' && !answer.replayed) {
        deletionsAccepted.inc();
        jobsAccepted.inc(request.jobIds.length);
      }
      return answer;
    },
    measureGroups: (store) => ({
      ...store,
      acceptDeletions: (requests) => {
        groupRequests.observe(requests.length);
        groupJobs.observe(requests.reduce((sum, { jobIds }) => sum + jobIds.length, 0));
        return store.acceptDeletions(requests);
      },
    }),
    measureCertificate: (expiresAtMs) => expiryGauge(registry, 'deleter', expiresAtMs),
    onRemoved: ({ jobs, acceptedAtMs }) => {
      jobsRemoved.inc(jobs);
      const nowMs = clock.now();
      for (const atMs of acceptedAtMs) removal.observe(Math.max(0, nowMs - atMs) / 1_000);
    },
    onDeadLetter: () => deadLetters.inc(),
    onRetry: (what) => retriesOf[what].inc(),
    measureOutbox: (store) => {
      const get = createFreshValue({ ...measurement, read: () => store.measureOutbox() });
      const depth = {
        name: 'outbox_deletions',
        help: 'Deletions accepted, and neither completed nor on record as published; at most 100,000 are counted (10,000 in SQLite).',
      };
      measuredGauge(registry, depth, get, (outbox) => outbox.depth);
      const age = {
        name: 'outbox_oldest_age_seconds',
        help: 'How long the oldest of those counted waits; 0 for none.',
      };
      measuredGauge(registry, age, get, ({ oldestAtMs }) =>
        oldestAtMs === undefined ? 0 : Math.max(0, clock.now() - oldestAtMs) / 1_000,
      );
    },
    measureLag: (read) => {
      const lag = {
        name: 'consumer_lag_events',
        help: 'Events on the log that no worker has processed yet.',
      };
      measuredGauge(registry, lag, createFreshValue({ ...measurement, read }), (events) => events);
    },
  };
}
