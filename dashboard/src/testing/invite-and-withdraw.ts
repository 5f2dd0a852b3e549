import { fieldOf } from './read-page.ts';
import type { TestAnswer, TestBrowser } from './test-browser.ts';

/** Invites an address through the pages, and withdraws the only pending invitation. */
export async function inviteAndWithdraw(owner: TestBrowser, email: string): Promise<TestAnswer> {
  const once = fieldOf(await owner.get('/people/invite'), 'once');
  await owner.post('/people/invite', { once, email, role: 'viewer' });
  const { text } = await owner.get('/people');
  const [, invitation = ''] = /\?invitation=([0-9a-f]{24})"/.exec(text) ?? [];
  return owner.post('/people/withdraw', { invitation });
}
