import { expect, test } from '@jest/globals';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { useScene } from '../dashboard/scene.ts';
import { dumpTables } from '../harness/dump-tables.ts';
import { addAcme } from './acme.ts';
import { requestsOf } from './requests-of.ts';

const scene = useScene({ DASHBOARD_DELETES: 'on' });

test('a form with the token of an earlier session of its person changes nothing, on every route', async () => {
  const acme = await addAcme(scene);
  const { accounts, routes } = scene.dashboard;
  // A later request does not record that the session was used.
  const owner = await scene.dashboard.signIn(acme.accountId, 'owner', {
    lastSeenAtMs: Date.now() + 3_600_000,
  });
  const csrf = fieldOf(await owner.get('/sandbox'), 'csrf');
  const secret = newSecret();
  await accounts.addSession({ ...owner.session, id: 'e'.repeat(24), hash: hashSecret(secret) });
  owner.cookies.set('session', secret);
  const forms = routes.filter(({ method }) => method === 'POST');
  const before = dumpTables(scene.service.dataDir);
  const statuses = new Set<number>();
  // The first is the token of the form. The second is the token of the page that keeps the input.
  for (const token of [csrf, csrf.split('.').slice(1).join('.')])
    for (const route of forms)
      for (const { path, fields } of requestsOf(route, acme)) {
        const { status, location } = await owner.postRaw(path, { ...fields, csrf: token });
        // A key that is not paused has no form that resumes it.
        if (!location?.endsWith('?notice=key-resumed-already')) statuses.add(status);
      }
  expect(dumpTables(scene.service.dataDir)).toBe(before);
  expect([...statuses].toSorted()).toEqual([403, 404, 422]);
});
