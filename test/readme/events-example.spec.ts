import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { openKafkaEventLog } from '@jobs-delete/deleter-service/event-log/kafka-event-log';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import type { EventLog, EventRecord } from '@jobs-delete/deleter-service/event-log/event-log';
import { jobsDeletedTopic } from '@jobs-delete/proto/events';
import type { KafkaUrl } from '@jobs-delete/runtime/config/storage-url';
import { openSqlite, type Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { until } from '../harness/until.ts';
import { describeWith } from '../servers/describe-with.ts';
import { deleteTopics, kafkaTargets } from '../servers/unique-storage.ts';
import { codeBlocks, readDocument, root } from './readme.ts';

const newPath = temporaryFolder();

/** The events of one account are in one partition, so they come in their order. */
const event = (id: string, value: string): EventRecord => ({
  key: 'acme',
  headers: { ce_id: id, ce_type: jobsDeletedTopic },
  value: Buffer.from(value),
});
const removed = (id: string, ...claims: string[]) =>
  event(
    id,
    JSON.stringify({
      deletion_id: id,
      account_id: 'acme',
      part: 0,
      parts: 1,
      jobs: claims.map((claim) => ({ id: `Job${claim}`, claim })),
    }),
  );

describeWith('kafka', 'the consumer in docs/events.md', (url) => {
  const targets = kafkaTargets(url);
  let target: KafkaUrl;
  let log: EventLog;
  let folder: string;
  let index: Sqlite;
  let program: ChildProcess | undefined;
  const prefix = () => target.prefix ?? '';
  const deadLetters = () => `${prefix()}search.jobs.deleted.v1.dead-letter`;

  beforeAll(async () => {
    target = await targets.create();
    log = await openKafkaEventLog(target);
    folder = dirname(newPath('search.mjs'));
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const [example = ''] = codeBlocks('js', readDocument('docs/events.md'));
    writeFileSync(join(folder, 'search.mjs'), example);
    index = openSqlite(join(folder, 'search.db'), { name: 'test', migrations: [] });
  });
  afterEach(async () => {
    const running = program;
    program = undefined;
    if (running === undefined) return;
    running.kill('SIGKILL');
    await once(running, 'close');
  });
  afterAll(async () => {
    index.close();
    await log.close();
    await deleteTopics(connectKafka(target).kafka, [deadLetters()]);
    await targets.removeAll();
  });

  /** Starts the program. Returns what it has logged so far, which is what kafkajs logs. */
  const start = () => {
    const logged: string[] = [];
    program = spawn(process.execPath, ['search.mjs'], {
      cwd: folder,
      env: { ...process.env, KAFKA_BROKERS: target.brokers.join(','), TOPIC_PREFIX: prefix() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [program.stdout, program.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => logged.push(chunk));
    return () => logged.join('');
  };
  const handled = () =>
    hasTable('removals')
      ? (index.prepare('SELECT event_id FROM removals').raw().all() as string[][]).flat()
      : [];
  const hasTable = (name: string) =>
    index.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
  const committed = () =>
    withAdmin(connectKafka(target).kafka, async (admin) => {
      const [offsets] = await admin.fetchOffsets({
        groupId: `${prefix()}search`,
        topics: [`${prefix()}${jobsDeletedTopic}`],
      });
      // The offset of a partition without a commit is -1.
      return Math.max(...(offsets?.partitions ?? []).map(({ offset }) => Number(offset)));
    });

  test('removes each job once, keeps unreadable events aside, and commits after the work', async () => {
    const logged = start();
    await log.publish(jobsDeletedTopic, [removed('first', 'A', 'B')]);
    await until(() => handled().includes('first')).catch((error: unknown) => {
      throw new Error(logged(), { cause: error });
    });

    // Again, after the posting was written to the index by mistake: the repetition must not do its work.
    index.exec(
      "INSERT INTO postings VALUES ('acme', 'A', 'JobA'), ('acme', 'C', 'JobC'), ('acme', 'D', 'JobD')",
    );
    await log.publish(jobsDeletedTopic, [
      removed('first', 'A', 'B'),
      event('poison', '{"account_id":'),
      removed('second', 'C'),
    ]);
    await until(() => handled().includes('second'));
    expect(handled()).toEqual(['first', 'second']);
    expect(index.prepare('SELECT claim FROM postings').raw().all()).toEqual([['A'], ['D']]);
    await until(async () => (await committed()) === 4);
    await withAdmin(connectKafka(target).kafka, async (admin) => {
      const [partition] = await admin.fetchTopicOffsets(deadLetters());
      expect(partition?.high).toBe('1');
    });
  });
});
