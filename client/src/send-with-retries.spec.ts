import { getEventListeners } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { accepted, connectToScript, ids, problem } from './scripted-server.fixture.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ['seconds', '120', 120_000],
  ['a date that is over', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['a date to come', 'Thu, 26 Nov 2026 09:01:00 GMT', 60_000],
  ['something else', 'soon', 100],
  ['nothing', undefined, 100],
])('the pause follows a Retry-After with %s', async (_title, value, pauseMs) => {
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-26T09:00:00Z'));
  const pauses: number[] = [];
  const headers = value === undefined ? {} : { 'retry-after': value };
  const { client } = await connectToScript(() => ({ ...problem(503, 'unavailable'), headers }), {
    onRetry: (retry) => {
      pauses.push(retry.pauseMs);
      throw new Error('enough');
    },
  });
  await expect(client.whoami()).rejects.toThrow('enough');
  expect(pauses).toEqual([pauseMs]);
});

test('a request without an answer in time fails with its cause', async () => {
  const { client } = await connectToScript(() => 'hang', { requestTimeoutMs: 1, retryForMs: 0 });
  await expect(client.whoami()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^no answer from http.*: timeout$/),
    cause: { name: 'TimeoutError' },
  });
});

test.each([
  [429, ['Job0,Job1', 'Job0,Job1', 'Job0', 'Job1']],
  [503, ['Job0,Job1', 'Job0,Job1']],
])(
  'a request that is too large after a %i is split only if no attempt had an effect',
  async (status, sent) => {
    const away = { ...problem(status, 'later'), headers: { 'retry-after': '0' } };
    const answers = [away, problem(413, 'body_too_large')];
    const { client, received } = await connectToScript((_, index) => answers[index] ?? accepted);
    await client.deleteJobs(ids(2)).catch(() => undefined);
    expect(received.map(({ jobIds }) => jobIds.join())).toEqual(sent);
  },
);

test('the signal of the caller keeps no listener of a call that has ended', async () => {
  const { client } = await connectToScript(() => accepted, { maxJobsPerRequest: 1 });
  const { signal } = new AbortController();
  await client.deleteJobs(ids(3), { signal });
  for await (const outcome of client.outcomes(ids(2), { signal })) expect(outcome.kind).toBe('accepted');
  await client.whoami({ signal }).catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
