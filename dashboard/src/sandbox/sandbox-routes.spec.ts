import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { within } from '@jobs-delete/runtime/testing/within';
import type { JobsPage } from '../deleter/deleter-calls.ts';
import type { Services } from '../services.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import type { MemberVisit } from '../web/route.ts';
import { sandboxRoutes } from './sandbox-routes.tsx';

let api: Server | undefined;
afterEach(() => {
  api?.closeAllConnections();
  api?.close();
});

test('a request is sent before the jobs of the account are known', async () => {
  let listJobs: (page: JobsPage) => void = () => undefined;
  const jobs = new Promise<JobsPage>((resolve) => (listJobs = resolve));
  const listening = createServer((_request, response) => {
    listJobs({ jobIds: ['ABC123', 'DEF456'], next: undefined });
    response.end('the answer');
  });
  api = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const services = partOf<Services>({
    accounts: { listDomainUses: () => Promise.resolve([]), listCredentials: () => Promise.resolve([]) },
    deleter: { listJobs: () => jobs },
    keys: { tickets: Buffer.alloc(32, 1) },
    internalApiUrl: `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}`,
    now: () => 1_000_000,
  });
  const route = sandboxRoutes(services).find((each) => each.method === 'POST' && each.path === '/sandbox');
  const visit = partOf<MemberVisit>({
    accountId: 'acme',
    language: 'en',
    role: 'viewer',
    session: { id: 's' },
    person: { id: 'p' },
    network: '192.0.2.1',
    nowMs: 1_000_000,
    form: new URLSearchParams({ token: 'jdt_1', secretKey: 'jds_1', ids: 'ABC123\nDEF456' }),
    signal: new AbortController().signal,
  });
  const reply = await within(Promise.resolve(route?.serve(visit)), () => 'the answer');
  const text = htmlOf(reply);
  expect(text).toContain('the answer');
});

test.each([
  [
    'the exact entry that was used last',
    [
      ['*.acme.example', 9],
      ['a.example', 1],
      ['b.example', 2],
    ],
    'https://b.example',
  ],
  ['an exact entry, if none was used', [['*.acme.example', 9], ['a.example']], 'https://a.example'],
  ['a host below a wildcard, if there is nothing else', [['*.acme.example']], 'https://www.acme.example'],
] as const)('the form has the origin of %s', async (_, entries, origin) => {
  const services = partOf<Services>({
    accounts: {
      listDomainUses: () =>
        Promise.resolve(entries.map(([domain, lastUsedAtMs = 0]) => ({ domain, lastUsedAtMs }))),
      listCredentials: () => Promise.resolve([]),
    },
    deleter: { listJobs: () => Promise.resolve({ jobIds: [], next: undefined }) },
    keys: { tickets: Buffer.alloc(32, 1) },
    now: () => 1_000_000,
  });
  const route = sandboxRoutes(services).find((each) => each.method === 'GET' && each.path === '/sandbox');
  const visit = partOf<MemberVisit>({
    accountId: 'acme',
    language: 'en',
    role: 'viewer',
    session: { id: 's' },
    nowMs: 1_000_000,
    form: new URLSearchParams(),
  });
  const page = htmlOf(await route?.serve(visit));
  expect(/name="origin"[^>]* value="([^"]*)"/.exec(page)?.[1]).toBe(origin);
});
