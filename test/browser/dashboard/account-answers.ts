import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import type { FilledAccount } from './fill-account.ts';
import { sendForm } from './send-form.ts';
import type { DashboardVisitor } from './visit-dashboard.ts';

export interface Stage {
  readonly visitor: DashboardVisitor;
  readonly filled: FilledAccount;
  readonly owner: SignedInBrowser;
  /** Opens a browser of the look that is tested. */
  open(path: string, member?: Pick<SignedInBrowser, 'cookies'>): Promise<Page>;
}

/** Pages that only a form or a state leads to, each with its status. */
export type Answers = Readonly<
  Record<string, readonly [status: number, open: (stage: Stage) => Promise<Page>]>
>;

/** Sends the form of a page as the owner. */
const sent =
  (path: string, fields: (filled: FilledAccount) => Readonly<Record<string, string>>) =>
  async ({ open, owner, filled }: Stage): Promise<Page> => {
    const page = await open(path.replace(':token', filled.params.keys?.id ?? ''), owner);
    await sendForm(page, 'main form[method=post]', fields(filled));
    return page;
  };

const opened =
  (path: (filled: FilledAccount) => string) =>
  ({ open, owner, filled }: Stage): Promise<Page> =>
    open(path(filled), owner);

let names = 0;
export const newEmail = () => `ada${String(++names)}@acme.example`;

/** Pages of keys, domains, deletions and the sandbox. */
export const accountAnswers: Answers = {
  'a new token': [200, sent('/keys/token/new', () => ({ name: 'Shop' }))],
  'a new secret key': [200, sent('/keys/secret-key/new', () => ({ name: 'Shop' }))],
  'a token that replaces another': [200, sent('/keys/token/:token/rotate', () => ({}))],
  'a key without a name': [422, sent('/keys/token/new', () => ({ name: '' }))],
  'a form without its CSRF token': [403, sent('/keys/token/new', () => ({ csrf: 'foreign' }))],
  'a key form that is sent twice': [
    409,
    async ({ open, owner }) => {
      const page = await open('/keys/token/new', owner);
      const once = await page.locator('[name=once]').inputValue();
      await sendForm(page, 'main form', { name: 'Twice' });
      await page.goto('/keys/token/new');
      await sendForm(page, 'main form', { name: 'Twice', once });
      return page;
    },
  ],
  'a page of a higher role': [
    403,
    async ({ visitor, open }) => open('/people', await visitor.signIn('acme', 'viewer')),
  ],
  'a malformed domain': [422, sent('/domains/new', () => ({ domain: 'http://' }))],
  'a domain without TLS': [422, sent('/domains/new', () => ({ domain: 'http://shop.example' }))],
  'an origin that passes': [200, opened(({ origin }) => `/domains?origin=${encodeURIComponent(origin)}`)],
  'an origin that is refused': [200, opened(() => '/domains?origin=https%3A%2F%2Fother.example')],
  'an unknown Deletion-Id': [422, opened(() => '/activity?id=unknown')],
  'a period that ends before it starts': [422, opened(() => '/activity?from=2026-02-01&to=2026-01-01')],
  'an answer of the sandbox': [
    200,
    sent('/sandbox', ({ token, secretKey, origin }) => ({ token, secretKey, origin, ids: 'Unknown1' })),
  ],
  'a refused field of the sandbox': [422, sent('/sandbox', () => ({ userAgent: 'a\tb' }))],
  'a waiting deletion': [200, opened(({ waitingId }) => `/activity/${waitingId}`)],
  'a deletion to cancel': [200, opened(({ waitingId }) => `/activity/${waitingId}/cancel`)],
  'an allowance of no jobs': [422, sent('/safety/allow', () => ({ jobs: '0' }))],
  'an allowance from an expired form': [422, sent('/safety/allow', () => ({ jobs: '5', once: 'expired' }))],
  'a limit above 100 percent': [422, sent('/safety/limit', () => ({ kind: 'percent', amount: '101' }))],
  'more jobs allowed': [200, sent('/safety/allow', () => ({ jobs: '5' }))],
  'a new invitation': [200, sent('/people/invite', () => ({ email: newEmail() }))],
  'an invitation to no address': [422, sent('/people/invite', () => ({ email: 'nobody' }))],
};
