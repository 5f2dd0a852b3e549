import { beforeEach, expect, test } from '@jest/globals';
import type { ReceivedEvent } from '@jobs-delete/deleter-service/event-log/event-log';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { useCommandLine } from '../program.fixture.ts';
import { withEventLog } from './event-log.fixture.ts';

const cli = useCommandLine();

const letter = (id: string, failedAtMs: number) => ({
  id,
  reason: `its value is not JSON (${id})`,
  attempts: 1,
  failedAtMs,
  event: { position: 'p/0/1', key: 'k', headers: { ce_id: id }, value: Buffer.from([0xff, 0x00]) },
});

/** The events on the topic from its start. */
async function published(count: number): Promise<string[]> {
  return withEventLog(cli, async (log) => {
    const seen: ReceivedEvent[] = [];
    await new Promise<void>((resolve) => {
      void log.consume(deletionAcceptedTopic, 'test', (events) => {
        seen.push(...events);
        if (seen.length >= count) resolve();
        return Promise.resolve();
      });
    });
    return seen.map(({ headers }) => headers.ce_id ?? '');
  });
}

beforeEach(async () => {
  await cli.run('accounts', 'create', 'acme');
  const t = Date.parse('2030-01-01T00:00:00Z');
  await withEventLog(cli, (log) =>
    log.addDeadLetters([letter('e-2', t + 1), letter('e-1', t), letter('e-3', t + 2)]),
  );
});

const ids = async () =>
  ((await cli.json('dead-letters', 'list')) as { dead_letter_id: string }[]).map(
    (item) => item.dead_letter_id,
  );

test('list prints the oldest first, with reason and original bytes', async () => {
  expect(await cli.json('dead-letters', 'list', '--limit', '1')).toEqual([
    {
      dead_letter_id: 'e-1',
      reason: 'its value is not JSON (e-1)',
      attempts: 1,
      failed_at: '2030-01-01T00:00:00.000Z',
      event_key: 'k',
      event_position: 'p/0/1',
      event_headers: { ce_id: 'e-1' },
      event_value_base64: '/wA=',
    },
  ]);
  expect((await cli.run('dead-letters', 'list', '--limit', '1')).stdout).toBe(
    'DEAD LETTER  FAILED                    ATTEMPTS  REASON\n' +
      'e-1          2030-01-01T00:00:00.000Z  1         its value is not JSON (e-1)\n',
  );
  expect(await ids()).toEqual(['e-1', 'e-2', 'e-3']);
});

test('replay publishes one event again', async () => {
  expect(await cli.json('dead-letters', 'replay', 'e-2')).toEqual({
    dead_letter_id: 'e-2',
    replayed_count: 1,
  });
  expect(await ids()).toEqual(['e-1', 'e-3']);
  expect(await published(1)).toEqual(['e-2']);
});

test('replay --all publishes all events again, oldest first', async () => {
  expect(await cli.json('dead-letters', 'replay', '--all')).toEqual({ replayed_count: 3 });
  expect(await ids()).toEqual([]);
  expect(await published(3)).toEqual(['e-1', 'e-2', 'e-3']);
  expect((await cli.run('dead-letters', 'replay', '--all')).stdout).toBe('Replayed 0 dead letters.\n');
  expect((await cli.run('dead-letters', 'list')).stdout).toBe('There are no dead letters.\n');
});

test('discard deletes one', async () => {
  expect(await cli.json('dead-letters', 'discard', 'e-1')).toEqual({
    dead_letter_id: 'e-1',
    discarded_count: 1,
  });
  expect(await ids()).toEqual(['e-2', 'e-3']);
});

test.each(['replay', 'discard'])('%s of an unknown dead letter exits with 1', async (verb) => {
  expect(await cli.run('dead-letters', verb, 'e-9')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'There is no dead letter e-9. List them: jobs-delete dead-letters list\n',
  });
  expect(await ids()).toHaveLength(3);
});
