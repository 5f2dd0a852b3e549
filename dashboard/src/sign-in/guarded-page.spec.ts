import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { MemberVisit, Route } from '../web/route.ts';
import { titleOfGuarded } from './guarded-page.ts';

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
