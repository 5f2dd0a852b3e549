import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { MemberVisit, Route } from '../web/route.ts';
import { findUnguarded, titleOfGuarded } from './guarded-page.ts';

const visit = { accountId: 'acme', role: 'owner' } as MemberVisit;

function pageThat(serve: () => never): readonly Route[] {
  return [{ method: 'GET', path: '/keys/new', access: 'manager', recent: true, serve }];
}

test('a page with the fault of a bug has no title, so its person can sign in', async () => {
  for (const error of [new Fault('internal', 'a bug'), new TypeError('a bug')]) {
    const routes = pageThat(() => {
      throw error;
    });
    expect(await titleOfGuarded(routes, visit, '/a/acme/keys/new')).toBeUndefined();
  }
});

const page = (path: Route['path'], isRecent = false): Route => ({
  method: 'GET',
  path,
  access: 'viewer',
  ...(isRecent && { recent: true }),
  serve: () => ({ kind: 'page', title: 'A title', body: null }),
});
const routes = [
  page('/sign-in/continue', true),
  page('/keys/new', true),
  page('/keys/:kind'),
  page('/people'),
  page('/people/:id', true),
  page('/people/:id/remove', true),
  page('/activity/:id'),
  page('/activity/:id/cancel', true),
  { ...page('/trail'), access: 'owner' } as Route,
];
const viewer = { accountId: 'acme', role: 'viewer' } as MemberVisit;

test.each([
  ['/a/acme/activity/a1/cancel?x=1', '/a/acme/activity/a1', 'A title'],
  ['/a/acme/people/a1/remove', '/a/acme/people', 'A title'],
  ['/a/acme/people', '/a/acme/people', undefined],
  ['/a/acme/keys/NEW', undefined, 'A title'],
  ['/a/acme/trail/x', undefined, undefined],
  ['/a/acme/sign-in/continue', undefined, undefined],
  ['/a/other/people/a1/remove', undefined, undefined],
  ['/profile', undefined, undefined],
])('the way out of %s is %s, and its title is %s', async (path, back, title) => {
  expect(findUnguarded(routes, viewer, path)).toBe(back);
  expect(await titleOfGuarded(routes, viewer, path)).toBe(title);
});
