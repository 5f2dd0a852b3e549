import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import { deriveKeys, type Services } from '../services.ts';
import { partOf } from '../testing/part-of.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { openForm } from '../web/form-once.tsx';
import type { MemberVisit } from '../web/route.ts';
import { createKeyRoutes } from './create-key-routes.tsx';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('the examples name the first job of the account', async () => {
  const { session, person, email } = await dashboard.signIn('acme', 'manager');
  const pepper = createSecretKey(randomBytes(32));
  const services = partOf<Services>({
    accounts: dashboard.accounts,
    deleter: { listJobs: () => Promise.resolve({ jobIds: ['NURSE2', 'NURSE3'], next: undefined }) },
    keys: deriveKeys({ pepper }),
    pepper,
    apiUrl: 'https://api.example.com',
    now: () => Date.now(),
  });
  const holder = { accountId: 'acme', session, nowMs: Date.now() };
  const form = new URLSearchParams({
    once: openForm(services, holder),
    create: 'both',
    name: 'shop',
    expiry: '90',
  });
  const visit = partOf<MemberVisit>({ ...holder, form, person, email, network: '192.0.2.1', language: 'en' });
  const [, submit] = createKeyRoutes(services);
  const reply = await submit?.serve(visit);
  if (reply?.kind !== 'page') throw new Error('the reply is no page');
  const html = render(h(Fragment, null, reply.body));
  expect(html).toContain('&quot;NURSE2&quot;');
  expect(html).toContain("deleteJobs(['NURSE2'])");
  expect(html).not.toMatch(/NURSE001|NURSE3|Replace/);
});
