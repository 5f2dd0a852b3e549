import { expect, test } from '@jest/globals';
import { useScene } from './scene.ts';

const scene = useScene();

/** Reads a file whose fields have no line breaks and no quotes. */
function rowsOf(csv: string): Record<string, string>[] {
  const [names = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

test('the file has every deletion that fits the filter, newest first', async () => {
  const viewer = await scene.dashboard.signIn('acme', 'viewer');
  const ids: string[] = [];
  for (let count = 1; count <= 1_100; count++)
    ids.push((await scene.accept('acme', { acceptedAtMs: count, origin: { tokenId: 'shop' } })).id);
  const completed = await scene.accept('acme', { jobs: 2, acceptedAtMs: 5_000 });
  await scene.complete(completed, 6_500);
  await scene.accept('other');

  const file = await viewer.get('/activity/export.csv?state=accepted&token=shop');
  expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('Content-Disposition')).toMatch(/^attachment; filename=deletions-[\d-]{10}\.csv$/);
  expect(rowsOf(file.text).map((row) => row.deletion_id)).toEqual(ids.reverse());

  const all = rowsOf((await viewer.get('/activity/export.csv')).text);
  expect(all).toHaveLength(1_101);
  expect(all[0]).toEqual({
    deletion_id: completed.id,
    state: 'completed',
    jobs: '2',
    kept_jobs: '0',
    accepted_at: '1970-01-01T00:00:05.000Z',
    completed_at: '1970-01-01T00:00:06.500Z',
    duration_ms: '1500',
    token_id: '',
    token_name: '',
    person: '',
    origin: '',
    user_agent: '',
    removal_at: '',
    cancelled_at: '',
    client_technology: '',
    language: '',
    request_id: '',
  });
});

test('a spreadsheet runs nothing that a caller sent', async () => {
  const viewer = await scene.dashboard.signIn('formula', 'viewer');
  const userAgent = '=HYPERLINK("https://evil.example")/1';
  await scene.accept('formula', { origin: { userAgent, clientTechnology: '+1', webOrigin: '@x' } });
  const { text } = await viewer.get('/activity/export.csv');
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")/1"`);
  expect(text).toContain(`"'+1"`);
  expect(text).toContain(`"'@x"`);
});

test('a filter with a wrong day exports nothing', async () => {
  const viewer = await scene.dashboard.signIn('wrong', 'viewer');
  const { status, headers } = await viewer.get('/activity/export.csv?from=yesterday');
  expect([status, headers.get('Content-Disposition')]).toEqual([400, null]);
});
