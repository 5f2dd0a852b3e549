import { expect, test } from '@jest/globals';
import type { AccountSafety } from '../deleter/account-safety.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { partOf } from '../testing/part-of.ts';
import { visitWith } from '../testing/visit-page.ts';
import { cancelRoutes } from './cancel-routes.tsx';

test('only the page of a cancellation loads the ids of the jobs', async () => {
  const id = '01990000-0000-7000-8000-000000000000';
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
