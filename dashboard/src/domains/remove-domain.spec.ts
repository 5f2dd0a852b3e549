import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `removal-${String((count += 1))}`;

test.each([
  ['en', 'Remove the domain used.example?', 'Last used 2 hours ago.'],
  ['fr', 'Retirer le domaine used.example\u202f?', 'Dernière utilisation\u202f: il y a 2 heures.'],
  ['es', '¿Retirar el dominio used.example?', 'Último uso: hace 2 horas.'],
])('the form that removes a domain says in %s that it is in use', async (language, title, inUse) => {
  const accountId = newAccount();
  const manager = await dashboard.signIn(accountId, 'manager');
  for (const domain of ['idle.example', 'used.example'])
    await dashboard.accounts.allowDomain(accountId, domain);
  await dashboard.accounts.recordDomainUse(
    [{ accountId, domain: 'used.example' }],
    Date.now() - 2 * 3_600_000,
  );
  const pageOf = (domain: string) =>
    manager.get(`/domains/remove?domain=${domain}`, { 'Accept-Language': language });
  const { text } = await pageOf('used.example');
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).toContain(`class="warning"><strong>${inUse}`);
  expect((await pageOf('idle.example')).text).not.toContain('class="warning"><strong>');
});

test('a domain that was used in the last 7 days is removed by its name only', async () => {
  const accountId = newAccount();
  const manager = await dashboard.signIn(accountId, 'manager');
  const remove = async (domain: string, days: number, names: readonly (string | undefined)[]) => {
    await dashboard.accounts.allowDomain(accountId, domain);
    await dashboard.accounts.recordDomainUse([{ accountId, domain }], Date.now() - days * 86_400_000);
    const answers = [];
    for (const name of names) {
      const fields = name === undefined ? { domain } : { domain, name };
      const { status, text } = await manager.post('/domains/remove', fields);
      const problem = /id="name-problem">([^<]*)/.exec(text)?.[1];
      answers.push([status, problem]);
    }
    return answers;
  };
  const used = await remove('used.example', 6, [undefined, '', 'idle.example', ' used.example ', undefined]);
  expect(used).toEqual([
    // It was idle when the form was opened.
    [422, 'It was used in the meantime: type its name to confirm.'],
    [422, 'This does not match. Nothing was changed.'],
    [422, 'This does not match. Nothing was changed.'],
    [303, undefined],
    // It is removed already.
    [303, undefined],
  ]);
  expect(await remove('idle.example', 8, [undefined])).toEqual([[303, undefined]]);
  // Another entry allows the same.
  await dashboard.accounts.allowDomain(accountId, '*.example.com');
  expect(await remove('www.example.com', 1, [undefined])).toEqual([[303, undefined]]);
  expect(await dashboard.accounts.listDomains(accountId)).toEqual(['*.example.com']);
});

test.each([
  ['used.example', ' Used.Example ', 303],
  ['xn--mnchen-3ya.example', 'm\u00fcnchen.example', 303],
  ['*.xn--mnchen-3ya.example', '*.M\u00fcnchen.example', 303],
  ['used.example', 'http://used.example', 422],
  ['*.used.example', 'used.example', 422],
  // An old entry that is not readable.
  ['a b', 'a c', 422],
  ['a b', 'a b', 303],
])('the removal of %s with the name %j is answered with %i', async (domain, name, status) => {
  const accountId = newAccount();
  const manager = await dashboard.signIn(accountId, 'manager');
  await dashboard.accounts.allowDomain(accountId, domain);
  await dashboard.accounts.recordDomainUse([{ accountId, domain }], Date.now());
  expect((await manager.post('/domains/remove', { domain, name })).status).toBe(status);
});

test.each([
  ['www.example.com', [], 'It is the only entry'],
  ['www.example.com', ['shop.example'], 'requests that only this entry allows'],
  ['www.example.com', ['*.example.com'], 'The entry *.example.com allows the same'],
  ['localhost', ['http://localhost'], 'requests that only this entry allows'],
  ['http://localhost', ['localhost'], 'The entry localhost allows the same'],
  ['*.example.com', ['www.example.com'], 'requests that only this entry allows'],
])('the form that removes %s beside %j says: %s', async (domain, others, effect) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (const each of [domain, ...others]) await dashboard.accounts.allowDomain(account, each);
  const { text } = await manager.get(`/domains/remove?domain=${domain}`);
  expect(text).toContain(effect);
  expect(text).toMatch(/<dt>Last live use<\/dt><dd><span class="muted">never</);
});
