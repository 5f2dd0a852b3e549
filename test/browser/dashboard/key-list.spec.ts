import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the layout of the list of keys', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('the rows of keys have one height, unless they name another one, and all tables the same columns', async () => {
    const accountId = 'rows';
    const page = await visitor.openBrowser({}, await visitor.signIn(accountId, 'manager'));
    await page.setViewportSize({ width: 1_440, height: 900 });
    const { accounts } = visitor.dashboard();
    const add = (kind: 'token' | 'secret-key', digit: string, fields: object) => {
      const key = { kind, accountId, id: digit.repeat(24), createdAtMs: 1, ...fields };
      return accounts.addCredential({ ...key, hash: Buffer.alloc(32, `row ${digit}`) });
    };
    await add('token', '5', { name: 'A rather long name of the importer of a warehouse in Saint-Étienne' });
    await add('token', '6', { replacesId: '7'.repeat(24) });
    await add('token', '7', { revokedAtMs: 2 });
    await add('secret-key', '8', { name: 'Shop' });
    await accounts.recordRefusal([{ kind: 'token', id: '6'.repeat(24) }], Date.now());
    await page.goto('/keys');
    await page.locator('details.others summary').click();
    for (const rows of ['tr:has(.second.detail)', 'tr:not(:has(.second.detail))']) {
      const heights = await page
        .locator(`tbody ${rows}`)
        .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect(heights).toHaveLength(2);
      // The last row has no line below it.
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1.5);
    }
    const cutIds = await page
      .locator('.second')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
    expect(cutIds).toEqual([]);
    const columns = await page
      .locator('table')
      .evaluateAll((tables) =>
        tables.map((table) =>
          [...table.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().left),
        ),
      );
    expect(columns).toEqual(Array(2).fill(columns[0]));
  });

  test('the rows of a pair are level with their ids, also if each names the key that it replaces', async () => {
    const accountId = 'pairs';
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, 'manager'));
    for (const [id, replaced] of [
      ['a', undefined],
      ['b', 'a'],
    ] as const)
      for (const kind of ['token', 'secret-key'] as const)
        await visitor.dashboard().accounts.addCredential({
          kind,
          accountId,
          id: id.repeat(24),
          name: 'Shop',
          createdAtMs: 1,
          ...(replaced && { replacesId: replaced.repeat(24) }),
          hash: Buffer.alloc(32, `${kind} ${id}`),
        });
    await page.goto('/keys');
    const middles = await page.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) =>
        ['th button.copy', 'td .badge'].map((selector) => {
          const { top = 0, bottom = 0 } = row.querySelector(selector)?.getBoundingClientRect() ?? {};
          return (top + bottom) / 2;
        }),
      ),
    );
    expect(middles).toHaveLength(4);
    for (const [id = 0, state = Infinity] of middles) expect(Math.abs(id - state)).toBeLessThan(4);
  });

  test.each(['en', 'fr', 'es'])('no cell runs into the next one in %s', async (locale) => {
    const accountId = `cells-${locale}`;
    const page = await visitor.openBrowser({ locale }, await visitor.signIn(accountId, 'manager'));
    const { accounts } = visitor.dashboard();
    const nowMs = Date.now();
    const [minuteMs, monthMs] = [60_000, 30 * 86_400_000];
    for (const [index, expiresAtMs] of [nowMs + 58.5 * minuteMs, nowMs + 3 * monthMs].entries())
      for (const kind of ['token', 'secret-key'] as const) {
        const key = { kind, id: randomBytes(12).toString('hex') };
        await accounts.addCredential({
          ...key,
          accountId,
          name: `Shop ${String(index)}`,
          environment: 'sandbox',
          createdAtMs: nowMs - monthMs,
          expiresAtMs,
          hash: randomBytes(32),
        });
        await accounts.recordUse([key], nowMs - 57.5 * minuteMs);
        await accounts.recordRefusal([key], nowMs - 57.5 * minuteMs);
      }
    for (const width of [1_100, 1_200, 1_280, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/keys');
      const texts = await page.locator('tbody :is(th, td)').evaluateAll((cells) =>
        cells.flatMap((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const { left, right } = cell.getBoundingClientRect();
          const text = range.getBoundingClientRect();
          return text.width > 0 && (text.left < left - 0.5 || text.right > right + 0.5)
            ? cell.textContent
            : [];
        }),
      );
      expect({ width, texts }).toEqual({ width, texts: [] });
      const kindHeights = await page
        .locator('tbody td.plain:not(:has(.actions, :empty))')
        .evaluateAll((cells) =>
          cells.map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getClientRects().length;
          }),
        );
      expect(Math.max(...kindHeights)).toBe(1);
    }
  });
});
