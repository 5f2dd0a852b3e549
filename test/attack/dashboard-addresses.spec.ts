import { expect, test } from '@jest/globals';
import { roles } from '@jobs-delete/accounts/people/people';
import { withoutForms } from '@jobs-delete/dashboard/testing/read-page';
import { accountPath, isOfAccount } from '@jobs-delete/dashboard/web/account-path';
import { useScene } from '../dashboard/scene.ts';
import { addAcme, unknownNames } from './acme.ts';
import { requestsOf } from './requests-of.ts';

const scene = useScene({}, { design: true });

test.each(roles)('the address of another account is not found for the %s, on every route', async (role) => {
  const acme = await addAcme(scene);
  const before = await acme.snapshot();
  const reader = await scene.dashboard.signIn(`reader-${role}`, role);
  const none = unknownNames();
  const problems: string[] = [];
  for (const route of scene.dashboard.routes.filter(isOfAccount))
    for (const { path, fields } of requestsOf(route, acme)) {
      const sendTo = (accountId: string) => {
        const address = accountPath({ accountId }, path);
        return route.method === 'GET' ? reader.get(address) : reader.post(address, fields);
      };
      const [answer, toUnknown] = [await sendTo(acme.accountId), await sendTo(none.accountId)];
      if (answer.status !== 404 || withoutForms(answer.text) !== withoutForms(toUnknown.text))
        problems.push(`${route.method} ${path} answers ${String(answer.status)}`);
    }
  expect(problems).toEqual([]);
  expect(await acme.snapshot()).toEqual(before);
});

/** Pages of no account that every page links to. */
const outside = /^\/(?:assets\/.*|account|settings|sign-out|sign-in\/passkey\/options)$/;

test('every link and form of a page stays in the account of its address', async () => {
  const owner = await scene.dashboard.signIn('stay', 'owner');
  const deletion = await scene.accept('stay', { delayMs: 86_400_000 });
  await scene.dashboard.accounts.allowDomain('stay', 'shop.example');
  const routes = scene.dashboard.routes.filter(({ method }) => method === 'GET');
  const paths = routes
    .map(({ path }) => path)
    .filter((path) => !path.includes(':') && !path.endsWith('events'));
  const wrong: string[] = [];
  const linksOf = (text: string) => text.matchAll(/(?:href|action|data-events|data-options)="(\/[^"]*)"/g);
  for (const path of [...paths, `/activity/${deletion.id}`, `/activity/${deletion.id}/cancel`]) {
    const answer = await owner.get(`/a/stay${path}`);
    for (const [, to = ''] of linksOf(answer.text))
      if (!to.startsWith('/a/stay/') && !outside.test(to)) wrong.push(`${path} has ${to}`);
  }
  expect(wrong).toEqual([]);
});
