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

/** Components have names with a capital letter. */
async function exportedComponents(): Promise<readonly { readonly name: string }[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.tsx'));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<Readonly<Record<string, unknown>>>),
  );
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value) => typeof value === 'function')
    .filter(({ name }) => /^[A-Z]/.test(name));
}
