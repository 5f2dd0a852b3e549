import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { accept } from '@jobs-delete/deleter-service/testing/deletions';
import { uuidAt } from '@jobs-delete/runtime/time/clock';
import { describeWith } from '../../servers/describe-with.ts';
import { fillAccount, visitDashboard } from './visit-dashboard.ts';

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

  test.each(['en', 'fr', 'es'])(
    'waiting deletions have rows of one form on a phone, in %s',
    async (locale) => {
      const account = `narrow-${locale}`;
      const firstMs = Date.UTC(2026, 10, 20, 14, 11);
      for (let index = 0; index < 8; index += 1)
        await visitor.scene().accept(account, {
          acceptedAtMs: firstMs + index * 3_000_000,
          delayMs: 79_200_000 + index * 3_600_000,
        });
      const page = await visitor.openBrowser(
        { locale, viewport: { width: 360, height: 740 } },
        await visitor.signIn(account, 'viewer'),
      );
      await page.context().addCookies([{ name: 'zone', value: 'America/Sao_Paulo', url: visitor.origin() }]);
      await page.goto('/activity?state=waiting');
      const placesOf = (selector: string) =>
        page.locator(`tbody tr ${selector}`).evaluateAll((all) =>
          all.map((each) => {
            const row = each.closest('tr')?.getBoundingClientRect();
            return each.getBoundingClientRect().top - (row?.top ?? 0);
          }),
        );
      expect(await page.locator('tbody th time').first().textContent()).toContain('−3');
      const [times, badges, distances] = await Promise.all(['th time', '.badge', '.removal'].map(placesOf));
      expect(times).toHaveLength(8);
      for (const places of [times, badges, distances]) expect(new Set(places).size).toBe(1);
      expect(Math.abs((badges?.[0] ?? 0) - (times?.[0] ?? 0))).toBeLessThan(6);
    },
  );

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

  test('ids and their titles go down two columns, one on a phone, and many ids more of them on paper', async () => {
    const accountId = 'titled';
    const { store } = visitor.scene().service.operator;
    const jobIds = ['Titled01', 'LongTitled02', 'Title03', 'Titled04'];
    const postings = jobIds.map((id) => ({ id, posting: { title: `Baker ${id}` } }));
    await store.importJobs(accountId, postings, 1);
    const removalAtMs = Date.now() + 3_600_000;
    const deletionId = uuidAt(Date.now(), randomBytes(16));
    await accept(store, jobIds, { deletionId, accountId, removalAtMs, dueAtMs: removalAtMs });
    const untitled = await visitor.scene().accept(accountId, { jobs: 40 });
    const page = await visitor.openBrowser({}, await visitor.signIn(accountId, 'viewer'));
    const leftsOf = async (part: string) =>
      page
        .locator(`.ids ${part}`)
        .evaluateAll((all) => new Set(all.map((each) => each.getBoundingClientRect().left)).size);
    await page.goto(`/activity/${deletionId}`);
    for (const [width, columns] of [
      [1_440, 2],
      [360, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      expect([await leftsOf('code'), await leftsOf('bdi')]).toEqual([columns, columns]);
    }
    // Their order goes down the columns.
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 703, height: 1_000 });
    const lefts = await page
      .locator('.ids code')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect([lefts[0] === lefts[1], lefts[2] === lefts[3], new Set(lefts).size]).toEqual([true, true, 2]);
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`/activity/${untitled.id}`);
    await page.setViewportSize({ width: 703, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    expect(await leftsOf('code')).toBe(5);
  });

  test('no line of a list ends beyond the paper, and a filter that is not set takes none of it', async () => {
    const { accountId } = await fillAccount(visitor);
    const page = await visitor.openBrowser({}, await visitor.signIn(accountId, 'viewer'));
    await page.setViewportSize({ width: 703, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/activity', '/activity/refused', '/trail', '/trail?action=domain.allowed']) {
      await page.goto(path);
      const ends = await page
        .locator('main :is(td, summary > *)')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
      expect([path, Math.max(...ends) <= 703 - 16]).toEqual([path, true]);
      const isFiltered = path.includes('?');
      expect([path, await page.locator('main select:visible').count()]).toEqual([path, isFiltered ? 2 : 0]);
    }
  });
});
