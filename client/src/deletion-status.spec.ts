import { expect, test } from '@jest/globals';
import { connectToScript } from './scripted-server.fixture.ts';

const acceptedAt = '2026-11-26T09:00:00.000Z';
const removalAt = '2026-11-27T09:00:00.000Z';
const body = { deletion_id: 'd1', state: 'queued', jobs: 2, accepted_at: acceptedAt, completed_at: null };
const status = {
  deletionId: 'd1',
  state: 'queued',
  jobs: 2,
  acceptedAt: new Date(acceptedAt),
  completedAt: undefined,
};

test.each([
  ['without a delay', body, status],
  ['with a delay', { ...body, removal_at: removalAt }, { ...status, removalAt: new Date(removalAt) }],
])('reads the status of a deletion %s', async (_title, answer, expected) => {
  const { client } = await connectToScript(() => ({ status: 200, body: answer }));
  expect(await client.status('d1')).toStrictEqual(expected);
});

test.each([
  ['a 200 of another server', 200, { state: 'queued' }],
  ['a refusal with such a body', 403, body],
])('%s is no status', async (_title, answered, answer) => {
  const { client } = await connectToScript(() => ({ status: answered, body: answer }));
  await expect(client.status('d1')).rejects.toMatchObject({ code: 'unexpected_answer', status: answered });
});

test('a 200 of another server says nothing about the caller', async () => {
  const { client } = await connectToScript(() => ({ status: 200, body: {} }));
  await expect(client.whoami()).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('a cancelled deletion ends the wait for its removal', async () => {
  const { client } = await connectToScript(() => ({ status: 200, body: { ...body, state: 'cancelled' } }));
  await expect(client.waitUntilRemoved('d1')).rejects.toMatchObject({
    name: 'DeletionCancelledError',
    message: 'the deletion d1 was cancelled',
  });
});
