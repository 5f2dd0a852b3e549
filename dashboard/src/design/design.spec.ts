import { readdirSync } from 'node:fs';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { options } from 'preact';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

const folder = new URL('../web/', import.meta.url);
let dashboard: TestDashboard | undefined;
const { diffed } = options;

afterEach(async () => {
  await dashboard?.stop();
  dashboard = undefined;
});
afterAll(() => {
  if (diffed) options.diffed = diffed;
  else delete options.diffed;
});

test('the page shows every component of the folder web', async () => {
  const rendered = new Set<unknown>();
  options.diffed = ({ type }) => void rendered.add(type);
  dashboard = await startTestDashboard({}, { design: true });
  const { status } = await (await dashboard.signIn('acme', 'viewer')).get('/design');
  expect(status).toBe(200);
  const components = await exportedComponents();
  expect(components.length).toBeGreaterThan(10);
  const missing = components.filter((component) => !rendered.has(component)).map(({ name }) => name);
  expect(missing).toEqual([]);
});

test('there is no such page unless the start asks for it', async () => {
  dashboard = await startTestDashboard();
  const owner = await dashboard.signIn('acme', 'owner');
  expect(await owner.get('/design')).toMatchObject({ status: 404 });
  expect(await owner.get('/a/acme/design')).toMatchObject({ status: 404 });
});

test.each([
  ['/keys', ['revoke']],
  ['/domains', ['remove?domain=shop.example']],
  // The last owner stays.
  ['/people', ['remove']],
])('the rows of %s mark what cannot be undone as a danger, and nothing else', async (path, dangers) => {
  dashboard = await startTestDashboard();
  const { accounts } = dashboard;
  const account = `rows${path.replace('/', '-')}`;
  const owner = await dashboard.signIn(account, 'owner');
  await dashboard.signIn(account, 'viewer');
  await accounts.allowDomain(account, 'shop.example');
  const token = { kind: 'token', accountId: account, createdAtMs: 1 } as const;
  const id = Buffer.from(path).toString('hex').padEnd(24, '0');
  await accounts.addCredential({ ...token, id, hash: Buffer.alloc(32, path) });
  const { text } = await owner.get(path);
  const marked = [...text.matchAll(/<a class="danger" href="[^"]*\/([^"/]+)"/g)].map(([, end]) => end);
  expect(marked).toEqual(dangers);
});

/** Components have names with a capital letter. */
async function exportedComponents(): Promise<readonly { readonly name: string }[]> {
  const files = readdirSync(folder).filter((name) => /^[^.]+\.tsx$/.test(name));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<Readonly<Record<string, unknown>>>),
  );
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value) => typeof value === 'function')
    .filter(({ name }) => /^[A-Z]/.test(name));
}
