import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { newId } from '@jobs-delete/accounts/people/people';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { inviteTo } from '../testing/enrol.ts';
import { expectSamePage, fieldOf, textOf } from '../testing/read-page.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(
  async () => (dashboard = await startTestDashboard({ DASHBOARD_URL: 'http://dashboard.example.com' })),
);
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `people-${String((count += 1))}`;
/** Joins as a new person. */
const accept = (link: string, personId = newId()) => {
  const newPerson = { id: personId, createdAtMs: Date.now(), passkeys: [] };
  const action = { id: newId(), atMs: Date.now() };
  return dashboard.accounts.acceptInvitation(hashSecret(link.split('/').at(-1) ?? ''), { newPerson }, action);
};
const removed = (accountId: string) =>
  newAuditEntry({ accountId, action: 'person.removed', actor: 'operator' }, Date.now());
const rolesOf = async (account: string) =>
  (await dashboard.accounts.listPeople(account)).map(({ id, memberships }) => [
    id,
    memberships.find(({ accountId }) => accountId === account)?.role,
  ]);
const trailOf = async (account: string) =>
  (await dashboard.accounts.listActions({ accountId: account, pageSize: 10 })).map(({ action, subject }) => [
    action,
    subject,
  ]);

async function invite(owner: SignedInBrowser, fields: Record<string, string> = {}) {
  const once = fieldOf(await owner.get('/people/invite'), 'once');
  return owner.post('/people/invite', { once, email: 'ada@example.com', role: 'manager', ...fields });
}

test('an owner invites a person by a link, which one page shows', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const email = `${account}@example.com`;
  const answer = await invite(owner, { email: ` ${email.toUpperCase()} ` });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.text).toContain('sends no e-mail');
  const link = textOf(answer, 'link');
  expect(link).toMatch(/^http:\/\/dashboard\.example\.com\/link\/[\w-]{43}$/);
  expect(await trailOf(account)).toEqual([['person.invited', `${email}: manager`]]);

  expect(await accept(link)).toMatchObject({ kind: 'joined', accountId: account });
  const list = await owner.get('/people');
  expect(list.text).toContain(email);
  expect(list.text).toMatch(/<td class="aside" role="cell">Manager<\/td>/);
});

test.each([
  ['email', ''],
  ['email', 'ada'],
  ['email', '<script>@x y'],
  ['email', `${'a'.repeat(300)}@example.com`],
  ['role', ''],
  ['role', 'admin'],
])('the form is shown again for the %s %j, with its problem', async (field, value) => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const answer = await invite(owner, { [field]: value });
  expect(answer.status).toBe(422);
  expect([...answer.text.matchAll(/class="problem" id="(\w+)-problem"/g)]).toMatchObject([{ 1: field }]);
  expect(answer.text.includes('aria-invalid="true"')).toBe(field === 'email');
  expect(answer.text).not.toContain('<script>');
  expect(await trailOf(account)).toEqual([]);
});

test('an address that a member has is refused, and that of another account is answered like an unknown one', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const outsider = await dashboard.signIn(newAccount(), 'viewer');
  expect(await invite(owner, { email: owner.email })).toMatchObject({ status: 422 });
  const [known, unknown] = [
    await invite(owner, { email: outsider.email }),
    await invite(owner, { email: outsider.email.replace('viewer', 'nobody') }),
  ];
  const plain = ({ text }: { text: string }) =>
    text
      .replaceAll('nobody-', 'viewer-')
      .replaceAll(/[\w-]{43}/g, '')
      .replaceAll(/\d{4}-\d\d-\d\d[^<"]*/g, '');
  expect(plain(unknown)).toBe(plain(known));
});

test('somebody who has lost every passkey is removed and invited again, as a new person', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const lost = await dashboard.signIn(account, 'manager');
  await owner.get('/people');
  await owner.post(`/people/${lost.person.id}/remove`);
  expect(await dashboard.accounts.findPerson(lost.person.id)).toBeUndefined();
  const link = textOf(await invite(owner, { email: lost.email }), 'link');
  expect(await accept(link)).toMatchObject({ kind: 'joined' });
  expect(await lost.get('/keys')).toMatchObject({ status: 303 });
});

test('a new role holds from the next request on', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const manager = await dashboard.signIn(account, 'manager');
  const path = `/people/${manager.person.id}/role`;
  expect(await manager.get('/keys/new')).toMatchObject({ status: 200 });
  for (const role of ['viewer', 'viewer'])
    expect(await owner.post(path, { role })).toMatchObject({ location: '/people?notice=role-changed' });
  expect(await manager.get('/keys/new')).toMatchObject({ status: 403 });
  expect(await owner.post(path, { role: 'admin' })).toMatchObject({ status: 422 });
  expect(await trailOf(account)).toEqual([['person.role-changed', `${manager.email}: manager → viewer`]]);
});

test('a new role cancels the unused invitation to a higher one', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const email = `${account}@example.com`;
  const first = textOf(await invite(owner, { email, role: 'viewer' }), 'link');
  const personId = newId();
  await accept(first, personId);
  const second = await inviteTo(dashboard, account, email);
  await owner.post(`/people/${personId}/role`, { role: 'manager' });
  expect(await accept(second)).toEqual({ kind: 'link_unknown' });
  expect(await rolesOf(account)).toContainEqual([personId, 'manager']);
});

const trailLinkOf = (email: string) => `/trail?actor=${encodeURIComponent(email)}">`;

test('a removed person loses the session and the unused invitation', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const email = `${account}@example.com`;
  const first = textOf(await invite(owner, { email }), 'link');
  const id = newId();
  await accept(first, id);
  const second = await inviteTo(dashboard, account, email);
  const removed = await owner.post(`/people/${id}/remove`);
  expect(removed).toMatchObject({ location: '/people?notice=person-removed' });
  expect((await owner.get(removed.target ?? '')).text).toContain(trailLinkOf(email));
  expect(await accept(second)).toEqual({ kind: 'link_unknown' });
  expect(await owner.post(`/people/${id}/remove`)).toMatchObject({ status: 404 });
  expect((await trailOf(account))[0]).toEqual(['person.removed', email]);
});

test('a removal is confirmed on a page of its own, which changes nothing', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const { person, email } = await dashboard.signIn(account, 'viewer');
  const path = `/people/${person.id}/remove`;
  const list = await owner.get('/people');
  expect(list.text).toContain(`href="/a/${account}${path}"`);
  expect(list.text).not.toContain(`action="/a/${account}${path}"`);
  const confirmation = await owner.get(path);
  expect(confirmation.status).toBe(200);
  expect(confirmation.text).toContain(`<dd>${email}</dd>`);
  expect(confirmation.text).toContain('<p class="warning">The person loses access');
  expect(confirmation.text).toContain(trailLinkOf(email));
  expect(confirmation.text).toContain(`action="/a/${account}${path}"`);
  expect(await rolesOf(account)).toContainEqual([person.id, 'viewer']);
});

test('the removal from one account leaves the sessions of another', async () => {
  const [account, other] = [newAccount(), newAccount()];
  const owner = await dashboard.signIn(account, 'owner');
  const guest = await dashboard.signIn(other, 'viewer');
  const link = new URL(textOf(await invite(owner), 'link')).pathname;
  expect((await guest.get(link)).text).toContain(guest.email);
  const joined = await guest.post(link);
  expect(joined).toMatchObject({ location: '/overview?notice=joined' });
  expect((await guest.get(joined.target ?? '')).text).toContain(`account now: <strong>${account}</strong>`);
  expect((await guest.get('/keys')).text).toContain(`value="${account}" aria-current="true"`);
  await guest.post('/account', { account: other });
  expect(await owner.post(`/people/${guest.person.id}/remove`)).toMatchObject({ status: 303 });
  expect(await guest.get('/keys')).toMatchObject({ status: 200 });
  expect(await rolesOf(account)).toEqual([[owner.person.id, 'owner']]);
});

test('the last owner stays an owner', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const manager = await dashboard.signIn(account, 'manager');
  const path = `/people/${owner.person.id}`;
  const answers = [
    ...[await owner.get(path), await owner.get(`${path}/remove`)],
    ...[await owner.post(`${path}/role`, { role: 'viewer' }), await owner.post(`${path}/remove`)],
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  for (const { text } of answers) {
    expect(text).toContain('this is the last one');
    expect(text).not.toMatch(/class="danger"|name="role"/);
  }
  const { text } = await owner.get(`/people/${manager.person.id}/remove`);
  for (const part of [`<h1>Remove ${manager.email}?</h1>`, 'class="danger"']) expect(text).toContain(part);
  expect(await rolesOf(account)).toContainEqual([owner.person.id, 'owner']);
  expect(await trailOf(account)).toEqual([]);
});

test.each([
  ['remove', {}],
  ['role', { role: 'viewer' }],
])('two owners who %s each other at the same moment leave an owner', async (form, fields) => {
  const account = newAccount();
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await dashboard.signIn(account, 'owner'), await dashboard.signIn(account, 'owner')];
    await Promise.all([one.get('/people'), other.get('/people')]);
    for (const [id, role] of await rolesOf(account))
      if (role === 'owner' && id !== one.person.id && id !== other.person.id)
        await dashboard.accounts.removeMember(account, id ?? '', removed(account));
    await Promise.all([
      one.post(`/people/${other.person.id}/${form}`, fields),
      other.post(`/people/${one.person.id}/${form}`, fields),
    ]);
    expect((await rolesOf(account)).map(([, role]) => role)).toContain('owner');
  }
});

test('an owner who leaves is signed out', async () => {
  const account = newAccount();
  const [owner, other] = [await dashboard.signIn(account, 'owner'), await dashboard.signIn(account, 'owner')];
  expect((await owner.get(`/people/${owner.person.id}/remove`)).text).toContain('Leave the account');
  expect(await owner.post(`/people/${owner.person.id}/remove`)).toMatchObject({
    location: '/sign-in?notice=signed-out',
  });
  expect(owner.cookies.has('session')).toBe(false);
  expect(await rolesOf(account)).toEqual([[other.person.id, 'owner']]);
});

test('an owner who becomes a viewer still sees the people, and changes nothing', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  await dashboard.signIn(account, 'owner');
  expect(await owner.post(`/people/${owner.person.id}/role`, { role: 'viewer' })).toMatchObject({
    location: '/people?notice=role-changed',
  });
  expect((await owner.get('/people')).text).not.toContain('/people/');
  expect(await owner.get('/people/invite')).toMatchObject({ status: 403 });
});

test('an owner with an old sign-in reads the list, and confirms a change only', async () => {
  const owner = await dashboard.signIn(newAccount(), 'owner', { provenAtMs: Date.now() - 3_600_000 });
  expect(await owner.get('/people')).toMatchObject({ status: 200 });
  expect(await owner.get(`/people/${owner.person.id}`)).toMatchObject({ status: 303 });
});

test('a person of another account answers like an unknown one, and stays', async () => {
  const [account, other] = [newAccount(), newAccount()];
  const owner = await dashboard.signIn(account, 'owner');
  const outsider = await dashboard.signIn(other, 'viewer');
  const [known, none] = [`/people/${outsider.person.id}`, `/people/${'f'.repeat(24)}`];
  expectSamePage(await owner.get(none), await owner.get(known));
  for (const action of ['role', 'remove'])
    expectSamePage(
      await owner.post(`${none}/${action}`, { role: 'owner' }),
      await owner.post(`${known}/${action}`, { role: 'owner' }),
    );
  expect(await owner.get(known)).toMatchObject({ status: 404 });
  expect(await rolesOf(other)).toEqual([[outsider.person.id, 'viewer']]);
});

test('a large account has pages of 50 members', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  for (let index = 0; index < 50; index += 1) await dashboard.signIn(account, 'viewer');
  const { text } = await owner.get('/people?page=2');
  expect(text).toContain('Page 2 of 2');
  expect(Buffer.byteLength((await owner.get('/people')).text)).toBeLessThan(60_000);
});

test.each([
  ['en', 'Members', 'Change the role of'],
  ['fr', 'Liste des membres', 'Modifier le rôle de'],
  ['es', 'Lista de miembros', 'Cambiar el rol de'],
])('the pages speak the language %s', async (language, list, member) => {
  const owner = await dashboard.signIn(newAccount(), 'owner');
  await owner.post('/settings', { language, next: '/people' });
  expect((await owner.get('/people')).text).toContain(`<h2 id="members">${list}</h2>`);
  const { person, email } = await dashboard.signIn(owner.session.accountId, 'viewer');
  expect((await owner.get(`/people/${person.id}`)).text).toContain(`<h1>${member} ${email}</h1>`);
  expect((await invite(owner)).text).not.toContain('undefined');
});
