import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Inviter, invitePerson } from '@jobs-delete/accounts/people/invitations';
import { type Role, newId } from '@jobs-delete/accounts/people/people';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { expectSamePage, fieldOf } from '../testing/read-page.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `invitations-${String((count += 1))}`;

interface Invited {
  readonly id: string;
  readonly secret: string;
}

async function invite(
  accountId: string,
  email: string,
  {
    role = 'viewer',
    invitedBy = 'operator',
    lifetimeMs,
  }: { role?: Role; invitedBy?: Inviter; lifetimeMs?: number } = {},
): Promise<Invited> {
  const request = { accountId, email, role, invitedBy };
  const invitation = await invitePerson(dashboard.accounts, request, Date.now, {
    ...(lifetimeMs !== undefined && { lifetimeMs }),
  });
  if (invitation.kind !== 'invited') throw new Error(invitation.kind);
  return { id: hashSecret(invitation.secret).toString('hex', 0, 12), secret: invitation.secret };
}

const accept = ({ secret }: Invited) => {
  const newPerson = { id: newId(), createdAtMs: Date.now(), passkeys: [] };
  const action = { id: newId(), atMs: Date.now() };
  return dashboard.accounts.acceptInvitation(hashSecret(secret), { newPerson }, action);
};
const inviterOf = ({ person, email }: SignedInBrowser) => ({ id: person.id, email });
const withdraw = (owner: SignedInBrowser, { id }: Pick<Invited, 'id'>) =>
  owner.post('/people/withdraw', { invitation: id });
const trailOf = async (accountId: string) =>
  (await dashboard.accounts.listActions({ accountId, pageSize: 10 })).map(
    ({ action, actor, subject }) => `${action} ${actor} ${subject ?? ''}`,
  );

const inviteForm = async (owner: SignedInBrowser, email: string) => {
  const once = fieldOf(await owner.get('/people/invite'), 'once');
  return owner.post('/people/invite', { once, email, role: 'viewer' });
};

test.each(['größe@straße.de', 'élodie@société.fr', 'niño@españa.es', '日本@例え.jp'])(
  'the label %s is shown on every page, also to the members',
  async (email) => {
    const account = newAccount();
    const owner = await dashboard.signIn(account, 'owner');
    const { status, text } = await inviteForm(owner, email);
    expect(status).toBe(200);
    const [card = ''] = /<section class="card">.*?<\/section>/.exec(text) ?? [];
    expect(card).toMatch(/href="[^"]*\/people" hidden>/);
    expect(card).toContain(`<dd>${email}</dd>`);
    const secret = /\/link\/([\w-]{43})/.exec(card)?.[1] ?? '';
    expect((await dashboard.browser().get(`/link/${secret}`)).text).toContain(`<dd>${email}</dd>`);
    expect(card).toMatch(/data-saved="Copied"[^>]*>I have copied it</);
    expect(await accept({ id: '', secret })).toMatchObject({ kind: 'joined' });
    for (const page of ['/people', '/trail']) expect((await owner.get(page)).text).toContain(email);
    expect((await owner.get('/trail/export.csv')).text).toContain(email);
  },
);

test.each(['a\u202eb@example.com', 'a\u2066b@example.com', 'a\u0085b@example.com', 'a\0b@example.com'])(
  'the label %j invites nobody',
  async (email) => {
    const account = newAccount();
    expect(await inviteForm(await dashboard.signIn(account, 'owner'), email)).toMatchObject({ status: 422 });
    expect(await dashboard.accounts.listInvitations(account, Date.now())).toEqual([]);
  },
);

test('an owner sees who is invited, as what, by whom, and until when', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  expect((await owner.get('/people')).text).toMatch(
    /href="[^"]*\/people\/invite">.*<div class="card muted">No invitation is pending\. /,
  );
  const { email } = owner;
  const invited = [
    await invite(account, 'ada@example.com', { role: 'manager', invitedBy: inviterOf(owner) }),
    await invite(account, 'bob@example.com'),
  ];
  const { text } = await owner.get('/people');
  const [ada = '', bob = ''] = text.slice(text.indexOf('id="invitations"')).split('<tr').slice(2);
  const withoutLabels = (row: string) => row.replaceAll(/(?: class| scope| role| data-label)="[^"]*"/g, '');
  expect(withoutLabels(ada)).toContain(`<th>ada@example.com</th><td>Manager</td><td>${email}</td>`);
  const stored = await dashboard.accounts.listInvitations(account, Date.now());
  expect(ada).toContain(new Date(stored[0]?.expiresAtMs ?? 0).toISOString());
  expect(withoutLabels(bob)).toContain('<td>Viewer</td><td>Operator of the service</td>');
  for (const { secret } of invited) expect(text).not.toContain(secret);
});

test('an invitation is listed until it is accepted or expires', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const accepted = await invite(account, 'ada@example.com');
  await invite(account, 'late@example.com', { lifetimeMs: -1 });
  expect((await owner.get('/people')).text).toContain(accepted.id);
  await accept(accepted);
  const { text } = await owner.get('/people');
  expect(text).toContain('No invitation is pending.');
  expect(text).not.toContain('late@example.com');
});

test('a reload shows the link of an invitation while it is pending, then leads to a new form', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const once = fieldOf(await owner.get('/people/invite'), 'once');
  const send = () => owner.post('/people/invite', { once, email: 'ada@example.com', role: 'viewer' });
  const secretOf = ({ text }: { readonly text: string }) => /\/link\/([\w-]{43})/.exec(text)?.[1] ?? '';
  const secret = secretOf(await send());
  expect(secret).not.toBe('');
  expect(secretOf(await send())).toBe(secret);
  const page = `/people/invited?once=${once}`;
  expect(secretOf(await owner.get(page))).toBe(secret);
  const colleague = await dashboard.signIn(account, 'owner');
  expect(await colleague.get(page)).toMatchObject({ status: 303, location: '/people' });
  expect(await trailOf(account)).toHaveLength(1);
  const other = { once, email: 'bob@example.com', role: 'viewer' };
  expect(await owner.post('/people/invite', other)).toMatchObject({ status: 409 });
  await withdraw(owner, { id: hashSecret(secret).toString('hex', 0, 12) });
  expect(await owner.get(page)).toMatchObject({ status: 303, location: '/people' });
  const { status, text } = await send();
  expect(status).toBe(409);
  expect(text).not.toContain('/link/');
  expect(text).toMatch(/<a class="button" href="[^"]*\/people\/invite">Invite again<\/a>/);
});

test('a second invitation of an address replaces the first one, says so, and is recorded', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const pages = [await inviteForm(owner, 'ada@example.com'), await inviteForm(owner, ' Ada@Example.COM')];
  const sentence = 'This link replaces an earlier one for this address, which no longer works.';
  expect(pages.map(({ text }) => text.includes(sentence))).toEqual([false, true]);
  const links = pages.map(({ text }) => /\/link\/([\w-]{43})/.exec(text)?.[1] ?? '');
  const [first = '', second = ''] = links;
  expect(await dashboard.browser().get(`/link/${first}`)).toMatchObject({
    status: 404,
    text: expect.stringContaining('It was used before, it has expired, or a part of it is missing.'),
  });
  expect(await accept({ id: '', secret: first })).toEqual({ kind: 'link_unknown' });
  expect(await dashboard.browser().get(`/link/${second}`)).toMatchObject({ status: 200 });
  expect(await accept({ id: '', secret: second })).toMatchObject({ kind: 'joined' });
  expect(await trailOf(account)).toEqual([
    'person.joined ada@example.com ada@example.com: viewer',
    `invitation.replaced ${owner.email} ada@example.com: viewer`,
    `person.invited ${owner.email} ada@example.com: viewer`,
  ]);
  expect((await owner.get('/trail')).text).toContain('Invitation replaced by a new one');
});

test('a withdrawn invitation no longer works, and another one does', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const [withdrawn, kept] = [
    await invite(account, 'ada@example.com'),
    await invite(account, 'bob@example.com'),
  ];
  const page = await owner.get(`/people/withdraw?invitation=${withdrawn.id}`);
  expect(page.text).toContain('ada@example.com');
  expect(await withdraw(owner, withdrawn)).toMatchObject({
    location: '/people?notice=invitation-withdrawn',
  });
  expect(await accept(withdrawn)).toEqual({ kind: 'link_unknown' });
  expect(await dashboard.browser().get(`/link/${withdrawn.secret}`)).toMatchObject({ status: 404 });
  expect(await trailOf(account)).toEqual([`invitation.withdrawn ${owner.email} ada@example.com`]);
  const { text } = await owner.get('/people');
  expect(text).not.toContain(withdrawn.id);
  expect(text).toContain(kept.id);
  expect(await accept(kept)).toMatchObject({ kind: 'joined' });
});

test('an invitation that was used or withdrawn is not found, and not recorded again', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const [used, withdrawn] = [
    await invite(account, 'ada@example.com'),
    await invite(account, 'bob@example.com'),
  ];
  await accept(used);
  await owner.get('/people');
  const answers = await Promise.all([withdraw(owner, withdrawn), withdraw(owner, withdrawn)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  expect(await withdraw(owner, used)).toMatchObject({ status: 404 });
  expect(await trailOf(account)).toHaveLength(2);
});

test('an invitation to another account looks like an unknown one, and stays', async () => {
  const [account, other] = [newAccount(), newAccount()];
  const owner = await dashboard.signIn(account, 'owner');
  await dashboard.signIn(other, 'owner');
  const foreign = await invite(other, 'ada@example.com');
  const none = { id: 'f'.repeat(24) };
  const page = ({ id }: Pick<Invited, 'id'>) => owner.get(`/people/withdraw?invitation=${id}`);
  expectSamePage(await page(none), await page(foreign));
  expectSamePage(await withdraw(owner, none), await withdraw(owner, foreign));
  expect(await withdraw(owner, foreign)).toMatchObject({ status: 404 });
  expect(await accept(foreign)).toMatchObject({ accountId: other });
});

test('a sign-in link is neither listed nor withdrawn', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const hash = hashSecret('a sign-in link');
  const data = { accountId: account, personId: owner.person.id };
  const link = { hash, kind: 'sign-in', expiresAtMs: Date.now() + 60_000, data } as const;
  await dashboard.accounts.addOneTimeSecret(link);
  expect((await owner.get('/people')).text).toContain('No invitation is pending.');
  expect(await withdraw(owner, { id: hash.toString('hex', 0, 12) })).toMatchObject({ status: 404 });
  expect(await dashboard.accounts.findOneTimeSecret('sign-in', hash, Date.now())).toEqual(link);
});

test('the list names invitations whose sender is no longer an owner', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const former = await dashboard.signIn(account, 'owner');
  await invite(account, 'ada@example.com', { invitedBy: inviterOf(former) });
  expect((await owner.get('/people')).text).not.toContain('No longer an owner');
  await owner.post(`/people/${former.person.id}/role`, { role: 'manager' });
  expect((await owner.get('/people')).text).toContain('No longer an owner: the link does not work.');
});

test('many invitations have pages of 20, beside the pages of members', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  for (let index = 0; index < 50; index += 1) await dashboard.signIn(account, 'viewer');
  const emails = Array.from({ length: 21 }, (_, index) => `invited-${String(100 + index)}@example.com`);
  for (const email of emails) await invite(account, email, { invitedBy: inviterOf(owner) });
  const first = await owner.get('/people');
  expect(Buffer.byteLength(first.text)).toBeLessThan(60_000);
  expect(first.text).toContain('/people?invitations=2"');
  expect(first.text).not.toContain('invited-120@example.com');
  const second = await owner.get('/people?invitations=2');
  expect(second.text).toContain('invited-120@example.com');
  expect(second.text).not.toContain('invited-119@example.com');
  expect(second.text).toContain('/people?page=2"');
});

test.each([
  ['en', 'Pending invitations', 'Withdraw an invitation'],
  ['fr', 'Invitations en attente', 'Annuler une invitation'],
  ['es', 'Invitaciones pendientes', 'Anular una invitación'],
])('the invitations speak the language %s', async (language, list, form) => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const { id } = await invite(account, 'ada@example.com');
  await owner.post('/settings', { language, next: '/people' });
  const { text } = await owner.get('/people');
  expect(text).toContain(`<h2 id="invitations">${list}</h2>`);
  expect(text).not.toContain('undefined');
  expect((await owner.get(`/people/withdraw?invitation=${id}`)).text).toContain(`<h1>${form}</h1>`);
});

test('the choice of a role says what each may do, and a change chooses none of the others', async () => {
  const account = newAccount();
  const owner = await dashboard.signIn(account, 'owner');
  const manager = await dashboard.signIn(account, 'manager');
  const choicesOf = async (path: string) =>
    [...(await owner.get(path)).text.matchAll(/<input type="radio"([^>]*)> <span>([^<]+)/g)].map(
      ([, attributes = '', text = '']) => [attributes.includes('checked'), text] as const,
    );
  const chosen = (role: string) =>
    ['Viewer', 'Manager', 'Owner'].map((each) => [each === role, each] as const);
  expect(await choicesOf('/people/invite')).toEqual(chosen('Viewer'));
  expect(await choicesOf(`/people/${manager.person.id}`)).toEqual([
    [false, 'Viewer'],
    [false, 'Owner'],
  ]);
  expect((await owner.get('/people/invite')).text).toContain('cancels deletions, allows more deletions');
});

test('an invitation from a form that has expired invites nobody, and keeps what was typed', async () => {
  const owner = await dashboard.signIn(newAccount(), 'owner');
  const fields = { once: 'expired', email: 'late@example.com', role: 'manager' };
  const answer = await owner.post('/people/invite', fields);
  const { status, text } = answer;
  expect([status, text.includes('/link/')]).toEqual([422, false]);
  expect(text).toContain('value="late@example.com"');
  expect(text).toMatch(/value="manager" checked/);
  const once = fieldOf(answer, 'once');
  expect(await owner.post('/people/invite', { ...fields, once })).toMatchObject({ status: 200 });
});
