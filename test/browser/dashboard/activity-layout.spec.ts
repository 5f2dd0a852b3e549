import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { renderLateSummary } from '@jobs-delete/dashboard/testing/render-late-summary';
import { addDemoHistory } from 'jobs-delete/demo-history';
import { describeWith } from '../../servers/describe-with.ts';
import { until } from '../../harness/until.ts';
import { overflowOf } from '../page-actions.ts';
import { fillAccount, visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the layout of the overview and the activity', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('closed refused requests have one height, and one that opens moves no column', async () => {
    const { accountId } = await fillAccount(visitor);
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, 'manager'));
    await page.goto('/activity/refused');
    const heights = await page
      .locator('.requests summary')
      .evaluateAll((all) => all.map((each) => each.clientHeight));
    expect([heights.length, new Set(heights).size]).toEqual([2, 1]);
    const columns = () =>
      page
        .locator('.labels > *, summary > *')
        .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    const before = await columns();
    expect(new Set(before).size).toBe(6);
    for (const row of await page.locator('.requests summary').all()) await row.click();
    expect(await columns()).toEqual(before);
  });

  test.each([360, 1_440])(
    'what to do stands between the figures and the chart at %s pixels',
    async (width) => {
      const { accountId } = await fillAccount(visitor);
      const viewport = { width, height: 900 };
      const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, 'owner'));
      await page.goto('/overview');
      const boxes = ['.figures', '.to-do', '.day-chart'].map((each) => page.locator(each).boundingBox());
      const tops = (await Promise.all(boxes)).map((box) => box?.y ?? Infinity);
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
      expect(new Set(tops).size).toBe(3);
    },
  );

  test('a row leads to its page wherever one clicks, except on its other links and on texts with a title', async () => {
    const { accountId } = await fillAccount(visitor);
    const page = await visitor.openBrowser({}, await visitor.signIn(accountId, 'manager'));
    /** Returns the links under the ends of these cells, and those of their rows' headers. */
    const linksOf = async (cells: string) => {
      const all = page.locator(cells);
      await all.first().scrollIntoViewIfNeeded();
      return all.evaluateAll((found) =>
        found.map((cell) => {
          const { right, top, height } = cell.getBoundingClientRect();
          const hit = document.elementFromPoint(right - 2, top + height / 2);
          const [at, header] = [hit?.closest('a'), cell.closest('tr')?.querySelector('th a')];
          return [at?.getAttribute('href'), header?.getAttribute('href')];
        }),
      );
    };
    for (const width of [360, 1_440])
      for (const [path, table] of [
        ['/activity', 'list-heading'],
        ['/activity', 'refusals-heading'],
        ['/keys', 'open'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        const links = await linksOf(
          `[aria-labelledby="${table}"] tr:first-child td:visible:not(:has(a, [title]))`,
        );
        expect(links.length).toBeGreaterThan(1);
        for (const [link, header] of links) expect(link).toBe(header);
        const titled = page.locator(
          `[aria-labelledby="${table}"] tr:first-child :is(time, code)[title]:visible`,
        );
        const covered = await titled.evaluateAll((all) =>
          all.filter((each) => {
            const { left, top, height } = each.getBoundingClientRect();
            return document.elementFromPoint(left + 2, top + height / 2) !== each;
          }),
        );
        expect([covered.length, (await titled.count()) > 0]).toEqual([0, table !== 'refusals-heading']);
      }
    const [[link, header] = []] = await linksOf('tr:first-child td .actions > :first-child');
    expect(link).toBe(`${String(header)}/rotate`);
  });

  test.each([
    ['en', 1_440, 1],
    ['fr', 1_440, 1],
    ['fr', 1_000, 3],
    ['en', 360, 3],
    ['fr', 360, 3],
    ['es', 360, 3],
  ] as const)('the tools above the deletions in %s at %d px take %d lines', async (locale, width, lines) => {
    const accountId = `tools-${locale}-${String(width)}`;
    const viewer = await visitor.signIn(accountId, 'viewer');
    await visitor.scene().accept(accountId);
    const { accounts } = visitor.dashboard();
    const token = { kind: 'token', accountId, id: accountId.padEnd(24, '0'), createdAtMs: 1 } as const;
    const name = 'Importer of the warehouse in Saint-Étienne';
    await accounts.addCredential({ ...token, name, hash: Buffer.alloc(32, accountId) });
    const page = await visitor.openBrowser({ locale, viewport: { width, height: 900 } }, viewer);
    await page.goto('/activity');
    const boxesOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((each) => {
          const { left, right, top, bottom } = each.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      );
    await page.locator('.periods a').first().click();
    const tools = '.periods, .tools > a, .find input, .find button, .tools summary';
    await page.locator('.tools > a').waitFor();
    const closed = await boxesOf(tools);
    const lineOf = ({ top }: { readonly top: number }) => Math.round(top);
    expect(new Set(closed.map(lineOf)).size).toBe(lines);
    expect(Math.round(Math.max(...closed.map(({ right }) => right)))).toBe(width - (width < 500 ? 16 : 40));
    expect(Math.max(...closed.map(({ top, bottom }) => bottom - top))).toBeLessThan(40);
    // None covers another one.
    for (const one of closed)
      for (const other of closed.filter((each) => each !== one && lineOf(each) === lineOf(one)))
        expect(one.right <= other.left || other.right <= one.left).toBe(true);
    await page.locator('.tools summary').click();
    expect(await boxesOf(tools)).toEqual(closed);
    expect(await overflowOf(page)).toBe(0);
    const [panel] = await boxesOf('.tools .filters');
    expect(panel?.top).toBeGreaterThan(Math.max(...closed.map(({ bottom }) => bottom)));
  });

  test('a wrong day moves no field of the filter, and a page without a list has its whole width', async () => {
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('wrong-day', 'viewer'));
    const placesOf = async (query: string) => {
      await page.goto(`/activity?${query}`);
      return page.locator('.filters :is(label, select, input, button)').evaluateAll((all) =>
        all.map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
    };
    const right = await placesOf('from=2026-01-02&to=2026-01-03');
    expect(new Set(right.map(({ y }) => y)).size).toBe(2);
    expect(await placesOf('from=2026-01-02&to=2026-01-01')).toEqual(right);
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('status of 422')]);
    await page.locator('.filters .problem').waitFor();
    const endOf = async (filter: string) => {
      const box = await page.locator(filter).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect(await endOf('.tools')).toBe(viewport.width - 40);
    await page.goto('/activity/refused?code=token_invalid');
    expect(await endOf('.heading form')).toBe(viewport.width - 40);
  });

  describe('the overview after a month', () => {
    const accountId = 'month';
    beforeAll(async () => {
      const { operator, dataDir } = visitor.service();
      // A demo has jobs.
      await visitor.scene().accept('other');
      await operator.accounts.addAccount({ id: accountId, createdAtMs: Date.now() });
      addDemoHistory({ kind: 'sqlite', path: join(dataDir, 'jobs-delete.db') }, accountId, Date.now());
    });

    test.each(['en', 'fr', 'es'])('no line of a refused request is cut, in %s', async (locale) => {
      const viewport = { width: 1_440, height: 900 };
      const page = await visitor.openBrowser({ locale, viewport }, await visitor.signIn(accountId, 'viewer'));
      await page.goto('/activity/refused');
      const widths = await page
        .locator('.requests summary > *')
        .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect([widths.length > 25, Math.max(...widths)]).toEqual([true, 0]);
      const heights = await page
        .locator('.requests summary')
        .evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
      expect(new Set(heights)).toEqual(new Set([44]));
    });

    test.each([
      ['', 30, 7, 0],
      ['?from=', 7, 7, 7],
    ])(
      'shows whole bars on a phone, which lead to their days: /activity%s',
      async (query, count, links, values) => {
        const viewport = { width: 360, height: 900 };
        // Its names are the longest.
        const page = await visitor.openBrowser(
          { viewport, locale: 'es' },
          await visitor.signIn(accountId, 'viewer'),
        );
        const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
        await page.goto(`/activity${query}${query && dayOf(count - 1)}`);
        const bars = page.locator('.picture a');
        await bars.filter({ visible: true }).first().waitFor();
        const edges = await page
          .locator('.picture rect[rx]')
          .evaluateAll((all) =>
            all.map((bar) => bar.getBoundingClientRect()).map(({ left, right }) => [left, right]),
          );
        expect(edges).toHaveLength(count);
        expect([Math.min(...edges.flat()) >= 16, Math.max(...edges.flat()) <= 344]).toEqual([true, true]);
        expect(await overflowOf(page)).toBe(0);
        expect(await page.locator('.picture .value:visible').count()).toBe(values);
        const shown = await bars.filter({ visible: true }).all();
        expect(shown).toHaveLength(links);
        for (const link of shown) {
          await link.hover();
          // As wide as a finger needs (WCAG 2.2, 2.5.8).
          expect((await link.boundingBox())?.width).toBeGreaterThanOrEqual(24);
          if (links < count) continue;
          const card = await link.locator('> span').boundingBox();
          expect([card && card.x >= 0, card && card.x + card.width <= 360]).toEqual([true, true]);
        }
        if (links < count) {
          const home = page.url();
          await shown.at(-1)?.click();
          await page.waitForURL(`**/activity?from=${dayOf(3)}&to=${dayOf(0)}#list-heading`);
          // The list is in view, and so is what was chosen.
          const period = page.locator('.choices a');
          expect(await period.count()).toBe(1);
          await until(async () => ((await period.boundingBox())?.y ?? Infinity) < 100);
          await period.click();
          await page.waitForURL('**/activity');

          await page.goto(home);
        }
        await page.setViewportSize({ width: 1_440, height: 900 });
        const bar = page.locator('.days a').nth(-2);
        await bar.hover();
        const value = await bar.locator('span > b:visible').nth(1).textContent();
        await bar.click();
        await page.waitForURL(`**/activity?from=${dayOf(1)}&to=${dayOf(1)}#list-heading`);
        await page.locator('[data-unfinished]').waitFor({ state: 'detached' });
        expect(await page.locator('.legend strong').first().textContent()).toBe(value);
      },
    );

    test.each([
      ['en', 1_440],
      ['fr', 1_440],
      ['es', 1_440],
      ['en', 360],
      ['fr', 360],
      ['es', 360],
    ] as const)('does not move when its counts come, in %s at %d px', async (locale, width) => {
      const viewer = await visitor.signIn(accountId, 'viewer');
      const page = await visitor.openBrowser({ locale, viewport: { width, height: 900 } }, viewer);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      // The page as it is while the deleter still counts.
      await page.route('**/overview', async (route) => {
        const response = await route.fetch();
        const summary =
          /(?:<div aria-live[^>]*>)?<ul class="card figures.*(?=<\/div><div class="heading"><h2 id="list-)/s;
        const late = renderLateSummary(accountId, locale);
        await route.fulfill({ response, body: (await response.text()).replace(summary, late) });
      });
      await page.route('**/overview/events', async (route) => {
        await released;
        await route.continue();
      });
      await page.goto('/overview');
      const placesOf = () =>
        page
          .locator('main h2, .lead .figure, .legend, .figures li, .picture, .counting, .day-chart summary')
          .evaluateAll((parts) =>
            parts.map((part) => {
              const { left, right, top, bottom } = part.getBoundingClientRect();
              // The text of the others comes with the counts, or is another one then.
              return part.matches('li') ? { left, right, top, bottom } : { top, bottom };
            }),
          );
      await page.locator('[data-unfinished]').first().waitFor();
      const before = await placesOf();
      release();
      await page.locator('[data-unfinished]').first().waitFor({ state: 'detached' });
      expect(await placesOf()).toEqual(before);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });
});
