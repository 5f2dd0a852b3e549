import { expect, test } from '@jest/globals';
import { connectToScript, ids, problem, type ScriptedAnswer } from './scripted-server.fixture.ts';

const page = (jobIds: readonly string[], next: string | null): ScriptedAnswer => ({
  status: 200,
  body: { jobs: jobIds.map((id) => ({ id })), next },
});

async function all(listed: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const id of listed) found.push(id);
  return found;
}

test('yields the ids of all pages, and repeats a request that fails for a moment', async () => {
  const away = { ...problem(503, 'unavailable'), headers: { 'retry-after': '0' } };
  const answers = [page(ids(2), 'Job1'), away, page([], 'Job5'), page(['Job6'], null)];
  const { client, received } = await connectToScript((_, index) => answers[index] ?? 'hang');
  expect(await all(client.jobs())).toEqual(['Job0', 'Job1', 'Job6']);
  expect(received.map(({ url }) => url)).toEqual([
    '/v1/jobs?limit=10000',
    '/v1/jobs?limit=10000&after=Job1',
    '/v1/jobs?limit=10000&after=Job1',
    '/v1/jobs?limit=10000&after=Job5',
  ]);
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer a-token', usersecretkey: 'a-key' });
});

test('starts after an id, with pages of a size, and reads no page ahead', async () => {
  const { client, received } = await connectToScript(() => page(ids(1), 'Job0'));
  for await (const id of client.jobs({ after: 'abc', pageSize: 1 })) {
    expect(id).toBe('Job0');
    break;
  }
  expect(received.map(({ url }) => url)).toEqual(['/v1/jobs?limit=1&after=abc']);
});

test('a refusal is a ProblemError', async () => {
  const { client } = await connectToScript(() => problem(403, 'token_invalid'));
  await expect(all(client.jobs())).rejects.toMatchObject({ status: 403, code: 'token_invalid' });
});

test.each([{}, { jobs: [] }, { jobs: [{}], next: null }, { jobs: [], next: 5 }, []])(
  'a 200 that is no page ends the list: %j',
  async (body) => {
    const { client } = await connectToScript(() => ({ status: 200, body }));
    await expect(all(client.jobs())).rejects.toMatchObject({ code: 'unexpected_answer' });
  },
);

test('the signal ends the list', async () => {
  const stopping = new AbortController();
  const { client } = await connectToScript(() => {
    setImmediate(() => stopping.abort(new Error('enough')));
    return 'hang';
  });
  await expect(all(client.jobs({ signal: stopping.signal }))).rejects.toThrow('enough');
});
