import { expect, test } from '@jest/globals';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { listRoutes } from './list-routes.tsx';
import { createRecentDays } from './recent-days.ts';

test('the list appears while its chart is still being counted', async () => {
  // The route uses these only.
  const services = {
    accounts: { listCredentials: () => Promise.resolve([]), listRefusals: () => Promise.resolve([]) },
    deleter: { listDeletions: () => Promise.resolve({ deletions: [], nextPageToken: undefined }) },
  } as unknown as Services;
  const endless = { countDeletions: () => new Promise<never>(() => undefined) };
  const [route] = listRoutes({ ...services, recentDays: createRecentDays(endless, 0) });
  const visit = {
    ...{ accountId: 'acme', language: 'en', url: '/activity?state=completed', nowMs: 0 },
    query: new URLSearchParams(),
  } as MemberVisit;
  const reply = await route?.serve(visit);
  if (reply?.kind !== 'page') throw new Error('the reply is no page');

  const html = render(h(Fragment, null, reply.body));
  expect(html).toContain('data-events="/activity/days/events"');
  expect(html).toContain('<a href="/activity?state=completed">Load the page again</a>');
  expect(html).toMatch(/<p [^>]*data-unfinished/);
});
