import { expect, test } from '@jest/globals';
import type { Person } from '@jobs-delete/accounts/people/people';
import type { AccountSafety } from '../deleter/account-safety.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { partOf } from '../testing/part-of.ts';
import { visitWith } from '../testing/visit-page.ts';
import { cancelRoutes } from './cancel-routes.tsx';

const id = '01990000-0000-7000-8000-000000000000';

test('only the page of a cancellation loads the ids of the jobs', async () => {
  const deletion = partOf<Deletion>({ id, accountId: 'acme', state: 'cancelled' });
  const loads: unknown[] = [];
  const services = partOf<Services>({
    deleter: {
      getDeletion: (_: string, __: string, options?: { readonly includeJobIds?: boolean }) => {
        loads.push(options?.includeJobIds);
        return Promise.resolve(deletion);
      },
      getSafety: () => Promise.resolve(partOf<AccountSafety>({})),
    },
  });
  const to = `/a/acme/activity/${id}`;
  const replies = [];
  for (const { serve } of cancelRoutes(services))
    replies.push(await serve({ ...visitWith({}), params: { id } }));
  expect(replies).toEqual([
    { kind: 'redirect', to },
    { kind: 'redirect', to: `${to}?notice=deletion-cancelled` },
  ]);
  expect(loads).toEqual([true, false]);
});

test.each([
  ['ada@acme.example', 'deletion-cancelled'],
  ['max@acme.example', 'deletion-cancelled-already'],
  ['', 'deletion-cancelled-already'],
])('ada reads who has cancelled a deletion that %j cancelled first', async (person, notice) => {
  const waiting = partOf<Deletion>({ id, accountId: 'acme', state: 'waiting', jobCount: 1, acceptedAtMs: 1 });
  const cancelOrigin = { tokenId: person === '' ? 'token' : '', person };
  for (const state of ['waiting', 'cancelled'] as const) {
    const services = partOf<Services>({
      accounts: { recordAction: () => Promise.resolve('recorded') },
      deleter: {
        getDeletion: () => Promise.resolve({ ...waiting, state, cancelOrigin }),
        cancelDeletion: () => Promise.resolve({ ...waiting, state: 'cancelled', cancelOrigin }),
        getSafety: () => Promise.resolve(partOf<AccountSafety>({})),
      },
    });
    const post = cancelRoutes(services).find(({ method }) => method === 'POST');
    const visit = { ...visitWith({}), params: { id }, email: 'ada@acme.example', person: partOf<Person>({}) };
    const to = `/a/acme/activity/${id}?notice=${notice}`;
    expect(await post?.serve(visit)).toEqual({ kind: 'redirect', to });
  }
});
