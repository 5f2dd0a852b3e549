import { expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the layout of the dashboard', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('the rows of a list have one height, with a link or without', async () => {
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('rows', 'viewer'));
    const record = (action: 'deletion.requested' | 'domain.allowed', subject: string) => {
      const entry = newAuditEntry({ accountId: 'rows', action, actor: 'operator', subject }, Date.now());
      return visitor.dashboard().accounts.recordAction(entry);
    };
    await record('deletion.requested', '01a2b3c4-0000-7000-8000-0123456789ab');
    await record('domain.allowed', 'shop.example');
    await page.goto('/trail');
    const rows = await page
      .locator('tbody tr:not(.rows-heading)')
      .evaluateAll((all) => all.map((row) => [row.querySelector('a') !== null, row.clientHeight] as const));
    expect(new Set(rows.map(([hasLink]) => hasLink)).size).toBe(2);
    expect(new Set(rows.map(([, height]) => height)).size).toBe(1);
  });

  test('the ids of a deletion stand in two columns on a phone', async () => {
    const { id } = await visitor.scene().accept('phone', { jobs: 2 });
    const viewport = { width: 360, height: 740 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('phone', 'viewer'));
    await page.goto(`/activity/${id}`);
    const [first, second] = await Promise.all(
      [0, 1].map((index) => page.locator('.ids li').nth(index).boundingBox()),
    );
    expect([second?.y, (second?.x ?? 0) > (first?.x ?? 0)]).toEqual([first?.y, true]);
  });

  test('the spellings of a domain stand above their meanings, beside the list', async () => {
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('spellings', 'manager'));
    await page.goto('/domains');
    await page.locator('form summary').click();
    const [spelling, meaning] = await Promise.all(
      ['dt', 'dd'].map((each) => page.locator(`form ${each}`).first().boundingBox()),
    );
    expect([spelling?.x, (meaning?.y ?? 0) > (spelling?.y ?? 0)]).toEqual([meaning?.x, true]);
  });

  test('the title stands at one place, with a button or without, and the foot at the end of a short page', async () => {
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('frame', 'owner'));
    const placesOf = async (path: string) => {
      await page.goto(path);
      const [title, foot] = await Promise.all([
        page.locator('h1').boundingBox(),
        page.locator('footer').boundingBox(),
      ]);
      return [(title?.y ?? 0) + (title?.height ?? 0) / 2, (foot?.y ?? 0) + (foot?.height ?? 0)];
    };
    const withButton = await placesOf('/people');
    expect(await placesOf('/safety')).toEqual(withButton);
    expect(withButton[1]).toBe(viewport.height);
  });

  test('the account, the menu and the person stay in view while a page scrolls', async () => {
    const page = await visitor.openBrowser(
      { viewport: { width: 1_440, height: 640 } },
      await visitor.signIn('stays', 'owner'),
    );
    await page.goto('/overview');
    const side = page.locator('.account, nav a, nav button');
    const placesOf = () => side.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    const places = await placesOf();
    await page.evaluate(`document.querySelector('main').style.minHeight = '3000px'; scrollTo(0, 2000)`);
    expect(await page.evaluate('scrollY')).toBe(2_000);
    expect(await placesOf()).toEqual(places);
  });

  test('the lists of a filter have its whole width on a phone, and fields fill the forms beside each other', async () => {
    const page = await visitor.openBrowser(
      { viewport: { width: 360, height: 740 } },
      await visitor.signIn('lines', 'viewer'),
    );
    const edgesOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((each) => {
          const { left, right } = each.getBoundingClientRect();
          return [left, right] as const;
        }),
      );
    await page.goto('/activity/refused?code=job_not_found');
    const [code, token] = await edgesOf('.heading select');
    expect(token).toEqual(code);
    expect(code?.[1]).toBe(360 - 16);
    await page.goto('/trail');
    const [by, action, from, to] = await edgesOf('.filters :is(select, input)');
    expect(action).toEqual(by);
    expect([from?.[0], to?.[1]]).toEqual(by);
    expect(by?.[1]).toBe(360 - 16 - 21);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto('/sandbox');
    const [form] = await edgesOf('.panes > form');
    const [field] = await edgesOf('.panes > form textarea');
    expect((form?.[1] ?? 0) - (field?.[1] ?? 0)).toBeCloseTo((field?.[0] ?? 0) - (form?.[0] ?? 0), 1);
  });

  test.each([360, 1_440])(
    'the safety rules have cards of one width, and a bar that fits, at %d px',
    async (width) => {
      await visitor.scene().service.operator.store.setRules('rules', { limit: { kind: 'jobs', jobs: 5 } });
      const viewport = { width, height: 900 };
      const page = await visitor.openBrowser({ viewport }, await visitor.signIn('rules', 'viewer'));
      await page.goto('/safety');
      const widthsOf = (selector: string) =>
        page
          .locator(selector)
          .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().width)));
      const [card = 0, ...others] = await widthsOf('main .card');
      expect(others).toEqual([card]);
      const [bar = 0] = await widthsOf('.meter');
      expect(card - bar).toBeGreaterThan(0);
      expect(card - bar).toBeLessThan(60);
    },
  );

  test.each([
    [1_440, 'manager', ['list', 'add', 'trial']],
    [360, 'manager', ['list', 'add', 'trial']],
    [360, 'viewer', ['list', 'trial']],
  ] as const)(
    'the allowed domains begin on the first screen, at %d px for a %s',
    async (width, role, order) => {
      const accountId = `domains-${String(width)}-${role}`;
      const viewport = { width, height: 740 };
      const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, role));
      await visitor.dashboard().accounts.allowDomain(accountId, 'shop.example');
      await page.goto('/domains');
      const parts = { add: 'form:has([name=domain])', trial: '#trial', list: 'tbody tr' } as const;
      const topOf = async (name: keyof typeof parts) => {
        const box = await page.locator(parts[name]).boundingBox();
        return { name, top: box?.y ?? Infinity, left: box?.x ?? 0 };
      };
      const places = await Promise.all(order.map(topOf));
      const sorted = places.toSorted((one, other) =>
        width > 1_000 && Math.abs(one.left - other.left) > 99 ? one.left - other.left : one.top - other.top,
      );
      expect(sorted.map(({ name }) => name)).toEqual(order);
      expect((await topOf('list')).top).toBeLessThan(viewport.height);
    },
  );

  test('each allowed domain has one line beside the form, also with its other spelling or a risk', async () => {
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('lines', 'manager'));
    for (const domain of ['shop.example', 'http://localhost:4770', 'xn--bcher-kva.example', '*.jobs.example'])
      await visitor.dashboard().accounts.allowDomain('lines', domain);
    await page.goto('/domains');
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(4);
    expect(Math.max(...heights)).toBeLessThan(52);
  });

  test('the form of a limit shows the number of the chosen kind only', async () => {
    await visitor.scene().service.operator.store.setRules('limit', { limit: { kind: 'jobs', jobs: 5 } });
    const page = await visitor.openBrowser({ locale: 'en' }, await visitor.signIn('limit', 'owner'));
    await page.goto('/safety/limit');
    const shown = () =>
      page.locator('.if-chosen input:visible').evaluateAll((all) => all.map(({ id }) => id));
    expect(await shown()).toEqual(['jobs']);
    await page.getByLabel('A percentage of the jobs').check();
    expect(await shown()).toEqual(['percent']);
    await page.getByLabel('No limit').check();
    expect(await shown()).toEqual([]);
  });

  test.each([
    ['its lists, and on a phone above', ''],
    ['a form that changes it, and on a phone below', '/rename'],
  ])('the details of a token stand beside %s, all of one width', async (_, path) => {
    const accountId = `token${path.replace('/', '-')}`;
    const page = await visitor.openBrowser({}, await visitor.signIn(accountId, 'manager'));
    const id = Buffer.from(accountId).toString('hex').padEnd(24, '0').slice(0, 24);
    const token = { kind: 'token', accountId, id, createdAtMs: 1 } as const;
    await visitor.dashboard().accounts.addCredential({ ...token, hash: Buffer.alloc(32, accountId) });
    await page.goto(`/keys/token/${id}${path}`);
    const boxesOf = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      const of = (selector: string) =>
        page.locator(selector).evaluateAll((all) =>
          all.map((each) => {
            const { top, bottom, left, right, width } = each.getBoundingClientRect();
            return { top, bottom, left, right, width };
          }),
        );
      return {
        back: await of('.back'),
        beside: await of('.beside'),
        others: await of('.sides > :not(.beside)'),
      };
    };
    const wide = await boxesOf(1_440);
    expect(wide.beside[0]?.top).toBe(wide.others[0]?.top);
    expect(wide.beside[0]?.left).toBeGreaterThan(wide.others[0]?.right ?? Infinity);
    const { back, beside, others } = await boxesOf(360);
    const boxes = [...back, ...(path === '' ? [...beside, ...others] : [...others, ...beside])];
    const gaps = boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12);
    expect(new Set(boxes.slice(1).map(({ width }) => width)).size).toBe(1);
  });

  test('the facts of a deletion stand beside its progress and its ids, on a phone below them', async () => {
    const { id } = await visitor.scene().accept('sides', { jobs: 2 });
    const page = await visitor.openBrowser({}, await visitor.signIn('sides', 'viewer'));
    const boxesOf = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      return page.locator('#life, .listing, .beside').evaluateAll((all) =>
        all.map((each) => {
          const { top, left, right } = each.getBoundingClientRect();
          return { top, left, right };
        }),
      );
    };
    await page.goto(`/activity/${id}`);
    const [life, ids, facts] = await boxesOf(1_440);
    expect([ids?.left, (facts?.top ?? 0) < (life?.top ?? 0)]).toEqual([life?.left, true]);
    expect(facts?.left).toBeGreaterThan(life?.right ?? 0);
    expect(facts?.right).toBe(1_440 - 40);
    const tops = (await boxesOf(360)).map(({ top }) => top);
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  });

  test('the actions on the page of a token share a line of a phone, and its lists fit', async () => {
    const [accountId, tokenId] = ['fits', 'e'.repeat(24)];
    const viewport = { width: 360, height: 740 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, 'manager'));
    const { accounts } = visitor.dashboard();
    const token = { kind: 'token', accountId, id: tokenId, createdAtMs: 1, pausedAtMs: 2 } as const;
    await accounts.addCredential({ ...token, hash: Buffer.alloc(32, 14) });
    await visitor.scene().accept(accountId, { jobs: 1_000, origin: { tokenId } });
    const refused = { accountId, tokenId, atMs: Date.now(), environment: 'live', status: 409 } as const;
    await accounts.addRefusedRequests([{ ...refused, id: 'fits', code: 'idempotency_key_reused' }]);
    await page.goto(`/keys/token/${tokenId}`);
    const actions = await page
      .locator('.heading .button')
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ top, width }) => [top, Math.round(width)]),
      );
    expect(actions).toEqual(Array(3).fill(actions[0]));
    const hidden = await page
      .locator('main .scroll')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(hidden).toEqual([0, 0]);
    await page.setViewportSize({ width: 1_440, height: 900 });
    const [code, time] = await Promise.all(
      ['code', 'time'].map((part) => page.locator(`.requests summary > ${part}`).boundingBox()),
    );
    // The time stands in the line of the code.
    expect((time?.y ?? 0) < (code?.y ?? 0) + (code?.height ?? 0)).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'the button of a danger is filled, the way to it is not, in %s',
    async (colorScheme) => {
      const accountId = `danger-${colorScheme}`;
      const id = (colorScheme === 'light' ? 'a' : 'b').repeat(24);
      const page = await visitor.openBrowser({ colorScheme }, await visitor.signIn(accountId, 'manager'));
      const token = { kind: 'token', accountId, id, createdAtMs: 1 } as const;
      const hash = Buffer.alloc(32, colorScheme);
      await visitor.dashboard().accounts.addCredential({ ...token, hash });
      const colorsOf = (selector: string) =>
        page.locator(selector).evaluate((element) => {
          const { backgroundColor, borderTopColor, color } = getComputedStyle(element);
          return { back: backgroundColor, edge: borderTopColor, text: color };
        });
      await page.goto(`/keys/token/${id}`);
      const way = await colorsOf('a.danger');
      await page.goto(`/keys/token/${id}/revoke`);
      const button = await colorsOf('button.danger');
      const red = { light: 'rgb(177, 36, 28)', dark: 'rgb(197, 53, 44)' }[colorScheme];
      expect(button).toEqual({ back: red, edge: red, text: 'rgb(255, 255, 255)' });
      expect(way.text).toBe(way.edge);
      expect(way.back).not.toBe(red);
    },
  );
});
