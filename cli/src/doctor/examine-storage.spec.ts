import { describe, expect, test } from '@jest/globals';
import { judgeClock, judgeMembers, judgeRetention, judgeTopic } from './examine-storage.ts';

describe('the members of a replica set', () => {
  const members = (ups: string) =>
    Array.from(ups).map((up, index) => ({ host: `db${index}:27017`, isUp: up === '+' }));
  test.each([
    ['+++', 'ok', 'a replica set of 3 members'],
    ['+++++', 'ok', 'a replica set of 5 members'],
    ['+', 'warning', '1 members; at least 3'],
    ['++-', 'warning', '1 of 3 members is down: db2:27017'],
    ['+--', 'problem', 'no majority: 2 of 3 members are down: db1:27017, db2:27017'],
    ['++--', 'problem', 'no majority'],
  ])('%s: %s', (ups, state, message) => {
    const [finding, ...more] = judgeMembers({ members: members(ups) });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ state, message: expect.stringContaining(message) });
  });

  test('are a warning if they cannot be read', () => {
    expect(judgeMembers({ members: undefined })).toMatchObject([{ state: 'warning' }]);
  });
});

test.each([
  [0, 'ok'],
  [-999, 'ok'],
  [1_001, 'warning'],
  [-4_000, 'warning'],
  [5_001, 'problem'],
  [-60_000, 'problem'],
])('a clock of MongoDB that is %d ms ahead: %s', (clockAheadMs, state) => {
  expect(judgeClock({ clockAheadMs })).toMatchObject({ subject: 'clock', state });
});

const dayMs = 86_400_000;
const sound = {
  topic: 'jobs',
  partitions: 12,
  replicas: 3,
  inSync: 3,
  minInSync: 2,
  withoutLeader: 0,
  retentionMs: 7 * dayMs,
};

test.each([
  [{}, 'ok', '12 partitions, 3 replicas in sync'],
  [{ withoutLeader: 2 }, 'problem', '2 of 12 partitions have no leader'],
  [{ inSync: 1 }, 'problem', 'publishing fails'],
  [{ inSync: 2 }, 'warning', '2 of 3 replicas are in sync'],
  [{ minInSync: 1 }, 'warning', 'may lose events'],
  [{ replicas: 1, inSync: 1, minInSync: 1 }, 'warning', 'may lose events'],
])('a topic with %j: %s', (differs, state, message) => {
  expect(judgeTopic({ ...sound, ...differs })).toMatchObject({
    state,
    message: expect.stringContaining(message),
  });
});

test.each([
  [7, 90, undefined],
  [90, 90, undefined],
  [7, undefined, undefined],
  [91, 90, 'keeps events for 91 days, but receipts are kept for 90 days'],
  [Infinity, 90, 'keeps events for ever'],
])('a topic that keeps events for %s days, with receipts for %s days', (events, receipts, message) => {
  const state = { ...sound, retentionMs: events * dayMs };
  const found = judgeRetention(state, receipts === undefined ? undefined : receipts * dayMs);
  expect(found).toEqual(
    message === undefined
      ? []
      : [expect.objectContaining({ state: 'warning', message: expect.stringContaining(message) })],
  );
});
