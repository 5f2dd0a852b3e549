import { expect, test } from '@jest/globals';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { useScene } from './scene.ts';

const scene = useScene();
const store = () => scene.service.operator.store;
const english = { 'Accept-Language': 'en' };
const hourMs = 3_600_000;

let count = 0;
const newAccount = () => `undone-${String((count += 1))}`;
const trailOf = async (accountId: string) =>
  (await scene.dashboard.accounts.listActions({ accountId, pageSize: 50 })).map(
    ({ action, actor, subject }) => ({ action, actor, subject }),
  );

test('a manager cancels a waiting deletion once, whatever is sent again', async () => {
  const manager = await scene.dashboard.signIn(newAccount(), 'manager');
  const { accountId } = manager.session;
  const { id } = await scene.accept(accountId, { jobs: 2, delayMs: 24 * hourMs });
  expect((await manager.get('/activity', english)).text).toMatch(/Waiting.*<time[^>]*>in 1 day</);
  const page = await manager.get(`/activity/${id}`, english);
  expect(page.text).toContain(`/activity/${id}/cancel"`);
  // It keeps jobs.
  const form = await manager.get(`/activity/${id}/cancel`, english);
  expect(form.text).not.toMatch(/class="(?:danger|warning)/);
  expect(form.text).toContain('<h1>Cancel the deletion of 2 jobs?</h1>');
  expect(form.text).toContain('<button>Keep the 2 jobs</button>');
  expect(form.text).toContain('The whole deletion will be cancelled');
  expect(form.text).toContain('Removal starts in ');
  const { jobIds = [] } = (await store().findDeletion(id, accountId)) ?? {};
  for (const jobId of jobIds) expect(form.text).toContain(`<li><code>${jobId}</code>`);
  expect(jobIds).toHaveLength(2);
  const send = () => manager.post(`/activity/${id}/cancel`);
  for (const answer of [...(await Promise.all([send(), send()])), await send()])
    expect(answer).toMatchObject({ status: 303, location: `/activity/${id}?notice=deletion-cancelled` });
  expect((await store().findReceipt(id, accountId))?.state).toBe('cancelled');
  const requested = { action: 'cancellation.requested', actor: manager.email, subject: `${id} (2 jobs)` };
  expect(await trailOf(accountId)).toEqual([requested]);
  const after = await manager.get(`/activity/${id}`, english);
  expect(after.text).toContain('No job was deleted.');
  expect(after.text).toContain(`<dd class="muted">${manager.email}</dd>`);
  expect(after.text).not.toContain(`/activity/${id}/cancel`);
});

test('a deletion whose removal begins before the form arrives is not cancelled, and the page says so', async () => {
  const manager = await scene.dashboard.signIn(newAccount(), 'manager');
  const { accountId } = manager.session;
  const { id } = await scene.accept(accountId, { delayMs: 24 * hourMs });
  expect(await manager.get(`/activity/${id}/cancel`, english)).toMatchObject({ status: 200 });
  const nowMs = Date.now() + 25 * hourMs;
  const bounds = { fromMs: 0, maxDeletions: 100, maxJobs: 1_000, exceptAccounts: [] };
  await store().leaseDue({ nowMs, untilMs: nowMs + hourMs, ...bounds });
  const { status, text } = await manager.postRaw(
    `/activity/${id}/cancel`,
    { csrf: fieldOf(await manager.get('/safety'), 'csrf') },
    english,
  );
  expect(status).toBe(409);
  expect(text).toContain('can no longer be cancelled');
  expect(await manager.get(`/activity/${id}/cancel`, english)).toMatchObject({ status: 409, text });
  expect(await trailOf(accountId)).toEqual([]);
});

test('a cancellation says that the limit is not free again at once, only for an account with a limit', async () => {
  const manager = await scene.dashboard.signIn(newAccount(), 'manager');
  const { accountId } = manager.session;
  const { id } = await scene.accept(accountId, { delayMs: 24 * hourMs });
  const limitText = 'Its jobs count toward the limit until about 24 hours after the deletion was accepted.';
  expect((await manager.get(`/activity/${id}/cancel`, english)).text).not.toContain(limitText);
  await store().setRules(accountId, { limit: { kind: 'jobs', jobs: 10 } });
  expect((await manager.get(`/activity/${id}/cancel`, english)).text).toContain(limitText);
  const location = `/activity/${id}?notice=deletion-cancelled-limit`;
  expect(await manager.post(`/activity/${id}/cancel`)).toMatchObject({ status: 303, location });
  const acceptedAtMs = Date.now() - 25 * hourMs;
  const early = await scene.accept(accountId, { acceptedAtMs, delayMs: hourMs });
  expect((await manager.get(`/activity/${early.id}/cancel`, english)).text).not.toContain(limitText);
  const withoutLimit = `/activity/${early.id}?notice=deletion-cancelled`;
  expect((await manager.post(`/activity/${early.id}/cancel`)).location).toBe(withoutLimit);
});

test('a deletion that was accepted before the limit was set does not count toward it, also once it is cancelled', async () => {
  const owner = await scene.dashboard.signIn(newAccount(), 'owner');
  const { accountId } = owner.session;
  const before = await scene.accept(accountId, { acceptedAtMs: Date.now() - hourMs, delayMs: 24 * hourMs });
  const once = fieldOf(await owner.get('/safety/limit'), 'once');
  const limit = { once, kind: 'jobs', jobs: '0', anyway: '0' };
  expect((await owner.post('/safety/limit', limit)).status).toBe(303);
  const after = await scene.accept(accountId, { delayMs: 24 * hourMs });
  const noticeOf = async ({ id }: { readonly id: string }) =>
    /notice=([\w-]+)/.exec((await owner.post(`/activity/${id}/cancel`)).location ?? '')?.[1];
  expect(await noticeOf(before)).toBe('deletion-cancelled');
  expect(await noticeOf(after)).toBe('deletion-cancelled-limit');
});

test('a viewer sees no way to cancel', async () => {
  const viewer = await scene.dashboard.signIn(newAccount(), 'viewer');
  const { id } = await scene.accept(viewer.session.accountId, { delayMs: 24 * hourMs });
  expect((await viewer.get(`/activity/${id}`)).text).not.toContain('/cancel');
});
