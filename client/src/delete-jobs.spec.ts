import { expect, test } from '@jest/globals';
import { accepted, connectToScript, ids, problem, type Script } from './scripted-server.fixture.ts';

test('escapes ids in XML', async () => {
  const { client, received } = await connectToScript(() => accepted, { format: 'xml' });
  await client.deleteJobs(['a&<>b']);
  expect(received[0]?.body).toContain('<jobs><job><id>a&amp;&lt;&gt;b</id></job></jobs>');
});

const refusing =
  (pointer: string): Script =>
  (_received, index) =>
    index === 0 ? problem(404, 'job_not_found', [pointer]) : accepted;

test.each(['/jobs/job/11', '/jobs/job/11/id'])('a refusal at %s is that of a job', async (pointer) => {
  const { client } = await connectToScript(refusing(pointer));
  const report = await client.deleteJobs(ids(12), { onRefusal: 'split' });
  expect(report).toMatchObject({ acceptedJobs: 11, refused: [{ jobId: 'Job11' }] });
});

test.each(['', '/x/jobs/job/1/id', '/jobs/job/1/idle', '/jobs/job/12/id'])(
  'a refusal at %j is that of no job, and ends the call',
  async (pointer) => {
    const { client } = await connectToScript(refusing(pointer));
    await expect(client.deleteJobs(ids(12), { onRefusal: 'split' })).rejects.toMatchObject({
      name: 'IncompleteError',
      report: { acceptedJobs: 0, refused: [] },
    });
  },
);

test('the sandbox of a call is true or false', async () => {
  const { client, received } = await connectToScript(() => accepted);
  await expect(client.deleteJobs(ids(1), { sandbox: 1 as unknown as boolean })).rejects.toThrow(
    'sandbox must be true or false, not 1',
  );
  expect(received).toEqual([]);
});

test('the signal ends a call that waits for its first id', async () => {
  const { client } = await connectToScript(() => accepted);
  const stopping = new AbortController();
  async function* source(): AsyncGenerator<string> {
    yield* ids(0);
    setImmediate(() => stopping.abort(new Error('enough')));
    await new Promise(() => undefined);
  }
  await expect(client.deleteJobs(source(), { signal: stopping.signal })).rejects.toThrow('enough');
});

test('outcomes of a call that is already aborted send nothing', async () => {
  const { client, received } = await connectToScript(() => accepted);
  const outcomes = client.outcomes(ids(1), { signal: AbortSignal.abort(new Error('enough')) });
  await expect(outcomes.next()).rejects.toThrow('enough');
  expect(received).toEqual([]);
});
