import { expect, test } from '@jest/globals';
import { partOf } from '../testing/part-of.ts';
import type { MemberVisit, Route } from '../web/route.ts';
import { findUnguarded } from './guarded-page.ts';

const page = (path: Route['path'], recent?: true): Route =>
  partOf<Route>({ method: 'GET', path, access: 'viewer', ...(recent && { recent }) });
const routes = [
  page('/people'),
  page('/people/:id', true),
  page('/people/:id/remove', true),
  page('/activity/:id'),
  page('/activity/:id/cancel', true),
  partOf<Route>({ method: 'GET', path: '/trail', access: 'owner' }),
];
const visit = partOf<MemberVisit>({ accountId: 'acme', role: 'viewer' });

test.each([
  ['/a/acme/activity/a1/cancel?x=1', '/a/acme/activity/a1'],
  ['/a/acme/people/a1/remove', '/a/acme/people'],
  ['/a/acme/people', '/a/acme/people'],
  ['/a/acme/trail/x', undefined],
  ['/a/other/people/a1/remove', undefined],
  ['/profile', undefined],
])('the page to leave %s for is %s', (path, found) => {
  expect(findUnguarded(routes, visit, path)).toBe(found);
});
