import { expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the dashboard on small screens and on paper', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('the days of a filter share a line on a tablet, and so do the time and the person of an entry', async () => {
    const viewport = { width: 800, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('tablet', 'viewer'));
    const change = { accountId: 'tablet', action: 'domain.allowed', actor: 'operator' } as const;
    const entry = newAuditEntry({ ...change, subject: 'shop.example' }, Date.now());
    await visitor.dashboard().accounts.recordAction(entry);
    await page.goto('/trail');
    const topsOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    const [from, to] = await topsOf('[type=date]');
    expect(to).toBe(from);
    const [time, actor] = await topsOf('.trail tbody td:is(:nth-child(2), :nth-child(3))');
    expect(actor).toBe(time);
  });

  test('who paused a key has the whole width of a phone, and each fact has a line of its own on paper', async () => {
    const id = 'c'.repeat(24);
    const viewport = { width: 360, height: 740 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('paused', 'viewer'));
    const token = { kind: 'token', accountId: 'paused', id, createdAtMs: 1, pausedAtMs: Date.now() } as const;
    await visitor.dashboard().accounts.addCredential({ ...token, hash: Buffer.alloc(32, 'paused') });
    await page.goto(`/keys/token/${id}`);
    const [wide, own] = await Promise.all(
      ['.wide', ':has(code)'].map((each) => page.locator(`.facts > ${each}`).boundingBox()),
    );
    expect(wide?.width).toBe(own?.width);

    await page.setViewportSize({ width: 718, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    const boxes = await page.locator('.facts > div').evaluateAll((all) =>
      all.map((each) => {
        const { left, width } = each.getBoundingClientRect();
        return `${String(left)} ${String(width)}`;
      }),
    );
    expect(boxes.length).toBeGreaterThan(3);
    expect(new Set(boxes).size).toBe(1);
  });

  test.each([718, 1_050])(
    'the title begins the first sheet of paper of %d px, in dark letters',
    async (width) => {
      const page = await visitor.openBrowser({}, await visitor.signIn('paper', 'viewer'));
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/domains');
      const title = page.locator('h1');
      const look = () => title.evaluate((element) => getComputedStyle(element).color);
      await page.emulateMedia({ colorScheme: 'light' });
      const dark = await look();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect([await look(), ((await title.boundingBox())?.y ?? Infinity) < 150]).toEqual([dark, true]);
    },
  );
});
