import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Deletion } from '@jobs-delete/deleter-service/store/deletion';
import type { DeletionDocument, JobDocument } from '@jobs-delete/deleter-service/store/mongo/collections';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { maxJobsPerEvent } from '@jobs-delete/proto/events';
import { mongo } from 'mongoose';
import type { Operator } from '../harness/service.ts';
import { reapReplicas, runJobsDelete } from '../harness/spawn-roles.ts';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { dropCluster, readRemovals, removalLag, withDatabase } from './cluster-aftermath.ts';
import { anEventOf, publishTo } from './cluster-log.ts';
import { createCluster, succeed, type Cluster } from './cluster.ts';

const minute = 60_000;
const deletionIds = ['never', 'lost', 'restored', 'partial'] as const;
/** Enough jobs for more than one event. */
const jobsOf = {
  never: jobIds(2),
  lost: jobIds(maxJobsPerEvent + 500, 2),
  restored: jobIds(1, 5_000),
  partial: jobIds(maxJobsPerEvent + 1, 6_000),
  untouched: jobIds(1, 9_000),
};

interface Audit {
  readonly healthy: boolean;
  readonly finding_count: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly deletion_id: string | null;
    readonly dead_letter_id: string | null;
    readonly republished: boolean;
  }[];
}

describeWith('mongodb', 'the audit of the production pair', (mongodbUrl) => {
  describeWith('kafka', 'and its repair', (kafkaUrl) => {
    let cluster: Cluster;
    let operator: Operator;
    const deletions = new Map<(typeof deletionIds)[number], Deletion>();

    /** No relay runs here, so only the audit can publish a stuck deletion. */
    beforeAll(async () => {
      const replicas = { gateway: 0, api: 0, relay: 0, worker: 1 };
      cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas });
      operator = await cluster.openOperator();
      await importJobs(operator.store, acme, Object.values(jobsOf).flat());
      const acceptedAtMs = Date.now() - 20 * minute;
      for (const deletionId of deletionIds)
        deletions.set(
          deletionId,
          await accept(operator.store, jobsOf[deletionId], {
            deletionId,
            acceptedAtMs,
            dueAtMs: acceptedAtMs,
          }),
        );
    });
    afterAll(async () => {
      await operator.close();
      await reapReplicas();
      await dropCluster(cluster);
    });

    const deletionOf = (id: (typeof deletionIds)[number]) => {
      const deletion = deletions.get(id);
      if (deletion === undefined) throw new Error(`${id} was not accepted`);
      return deletion;
    };
    const remove = async (id: (typeof deletionIds)[number]) => {
      await removeAndRecord(operator.store, partsOf(deletionOf(id), maxJobsPerEvent), Date.now());
    };
    const inDatabase = (
      use: (
        jobs: mongo.Collection<JobDocument>,
        deletions: mongo.Collection<DeletionDocument>,
      ) => Promise<unknown>,
    ) =>
      withDatabase(cluster, (database) => use(database.collection('jobs'), database.collection('deletions')));
    const audit = async (...options: readonly string[]) => {
      const { code, stdout, stderr } = await runJobsDelete(['audit', '--json', ...options], cluster.env);
      expect(stderr).toBe('');
      return { code, audited: JSON.parse(stdout) as Audit };
    };
    /** Each finding as its kind, its subject, and whether the audit published it again. */
    const findings = ({ audited }: Awaited<ReturnType<typeof audit>>) =>
      audited.findings.map(({ kind, deletion_id, dead_letter_id, republished }) => [
        ...[kind, deletion_id ?? dead_letter_id, republished],
      ]);
    const worker = () => {
      const [first] = cluster.workers;
      if (first === undefined) throw new Error('no worker');
      return first;
    };

    test('finds broken invariants of each kind, and exits 1', async () => {
      const nowMs = Date.now();
      await operator.store.markPublished(
        [{ deletionId: 'lost', accountId: acme, leasedUntilMs: deletionOf('lost').acceptedAtMs }],
        nowMs - 19 * minute,
        nowMs + 24 * 60 * minute,
      );
      await remove('restored');
      await remove('partial');
      await worker().start();
      await publishTo(cluster, [anEventOf('poison', 'jobs.deletion-accepted.v1', '{')]);
      const deadLetters = async () => (await succeed(['dead-letters', 'list'], cluster.env)) as unknown[];
      await until(async () => (await deadLetters()).length === 1);
      await worker().stop();
      // Like after restoring a backup, or changing records by hand.
      const [claim = ''] = deletionOf('restored').claims;
      await inDatabase(async (jobs, deletionsOfAll) => {
        await jobs.insertOne({ _id: new mongo.ObjectId(claim), account_id: acme, id: jobsOf.restored[0] });
        await deletionsOfAll.updateOne(
          { _id: 'partial' },
          { $set: { removed_parts: [{ from: 0, to: 1_000 }] } },
        );
      });

      const audited = await audit();
      expect(audited).toMatchObject({ code: 1, audited: { healthy: false, finding_count: 5 } });
      expect(findings(audited)).toEqual([
        ['not_published', 'never', false],
        ['not_completed', 'lost', false],
        ['jobs_left', 'restored', false],
        ['record_incomplete', 'partial', false],
        ['dead_letter', 'poison', false],
      ]);
      expect(await removalLag(cluster)).toBe(0);
    });

    test('--repair publishes stuck deletions, records that, and changes nothing else', async () => {
      const repaired = await audit('--repair');
      expect(repaired.code).toBe(1);
      expect(findings(repaired)).toEqual([
        ['not_published', 'never', true],
        ['not_completed', 'lost', true],
        ['jobs_left', 'restored', false],
        ['record_incomplete', 'partial', false],
        ['dead_letter', 'poison', false],
      ]);
      expect(await removalLag(cluster)).toBe(3);
      for (const [id, publications] of [
        ['never', 1],
        ['lost', 2],
      ] as const)
        expect(await operator.store.findDeletion(id, acme)).toMatchObject({
          state: 'published',
          publications,
        });
    });

    test('a worker completes them, and the audit reports what only an operator can repair', async () => {
      await worker().start();
      const stateOf = async (id: string) => (await operator.store.findDeletion(id, acme))?.state;
      for (const id of ['never', 'lost']) await until(async () => (await stateOf(id)) === 'completed');
      await until(async () => (await removalLag(cluster)) === 0);
      expect(await operator.store.countJobs(acme)).toBe(jobsOf.restored.length + jobsOf.untouched.length);
      const removals = await readRemovals(cluster);
      const announced = new Set(removals.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
      expect([...announced].sort()).toEqual([...jobsOf.never, ...jobsOf.lost].sort());
      const left = await audit();
      expect([left.code, ...findings(left)]).toEqual([
        1,
        ['jobs_left', 'restored', false],
        ['record_incomplete', 'partial', false],
        ['dead_letter', 'poison', false],
      ]);
    });

    test('after the repair by hand the audit finds nothing, and exits 0', async () => {
      await inDatabase(async (jobs, deletionsOfAll) => {
        await jobs.deleteOne({ account_id: acme, id: jobsOf.restored[0] });
        await deletionsOfAll.updateOne(
          { _id: 'partial' },
          { $set: { removed_parts: [{ from: 0, to: 2_000 }] } },
        );
      });
      await succeed(['dead-letters', 'discard', 'poison'], cluster.env);
      expect(await audit()).toMatchObject({ code: 0, audited: { healthy: true, findings: [] } });
      expect(await operator.store.countJobs(acme)).toBe(jobsOf.untouched.length);
      expect(worker().crashes()).toEqual([]);
    });
  });
});
