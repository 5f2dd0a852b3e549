import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Route } from '@jobs-delete/dashboard/web/route';
import { languages } from '../../http/contract.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { auditPage, auditWithRegions, cutContents, overflowOf } from '../page-actions.ts';
import { fillAccount, type FilledAccount, visitDashboard } from './visit-dashboard.ts';

const maxPageBytes = 80_000;
/** Only developers load the page of all components. */
const maxDesignBytes = 95_000;
/** About eight lines of text. */
const maxRowPx = 200;
/** Counts that are not ready in time: an event brings them. */
const lateCounts = ':is(.figures, .counting)[data-unfinished]';
/** Layout does not depend on the scheme, nor do colors on the width. */
const looks = [
  ['light', 360, 'en'],
  ['dark', 1_440, 'fr'],
  ['dark', 360, 'es'],
] as const;

describeWith('chromium', 'every page of the dashboard in Chromium', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let filled: FilledAccount;
  let pages: readonly DashboardPage[];
  beforeAll(async () => {
    filled = await fillAccount(visitor);
    const owner = await visitor.signIn(filled.accountId, 'owner');
    const found: DashboardPage[] = [];
    for (const page of findPages(visitor.dashboard().routes, filled))
      if (await isPage(visitor.origin() + page.path, owner)) found.push(page);
    pages = found;
  });

  /** Opens and examines each path. */
  const walk = async (
    paths: readonly string[],
    options: BrowserContextOptions,
    member?: SignedInBrowser,
  ): Promise<readonly string[]> => {
    const page = await visitor.openBrowser(options, member);
    const seen: string[] = [];
    const wrong: unknown[] = [];
    for (const path of paths) {
      const answer = await page.goto(path);
      // axe-core finds no order of headings while a late chart moves them.
      await page.locator(lateCounts).first().waitFor({ state: 'detached' });
      const findings = [
        ...(await cutContents(page)),
        ...(await auditWithRegions(page)),
        ...(await tallRows(page)),
        ...(await formsOfBrowser(page)),
        ...visitor.takeFaults(),
      ];
      const [overflow, bytes] = [await overflowOf(page), await bytesOf(page)];
      if (answer?.status() !== 200) findings.push(`status: ${String(answer?.status())}`);
      if (overflow !== 0) findings.push(`overflow: ${String(overflow)} px`);
      if (bytes > (path.endsWith('/design') ? maxDesignBytes : maxPageBytes))
        findings.push(`size: ${String(bytes)} bytes`);
      if ((await page.locator('h1').count()) !== 1) findings.push('not one main heading');
      if (findings.length > 0) wrong.push({ path, findings });
      seen.push(new URL(page.url()).pathname.replace(/^\/a\/[^/]+/, ''));
    }
    expect(wrong).toEqual([]);
    return seen;
  };

  describe.each(looks)('in %s at %d px, in %s', (colorScheme, width, locale) => {
    const options = { colorScheme, locale, viewport: { width, height: 800 } };
    const pathsFor = (...access: readonly DashboardPage['access'][]) =>
      pages.filter((page) => access.includes(page.access)).map(({ path }) => path);

    test('is accessible, small and clean for an owner', async () => {
      const owner = await visitor.signIn(filled.accountId, 'owner');
      const seen = await walk(pathsFor('viewer', 'manager', 'owner'), options, owner);
      expect(seen).toEqual(expect.arrayContaining(['/keys', '/domains', '/sandbox']));
    });

    test('is accessible, small and clean for a viewer of an empty account', async () => {
      const viewer = await visitor.signIn('empty', 'viewer');
      const paths = pathsFor('viewer').filter((path) => !/\/[0-9a-f-]{16,}/.test(path));
      expect(await walk(paths, options, viewer)).toContain('/keys');
    });

    test('is accessible, small and clean before the sign-in', async () => {
      expect(await walk(pathsFor('anyone'), options)).toContain('/sign-in');
    });
  });

  test('every page has its language, and a title that names it', async () => {
    const owner = await visitor.signIn(filled.accountId, 'owner');
    for (const locale of languages) {
      const page = await visitor.openBrowser({ locale }, owner);
      await page.goto('/keys');
      expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
      expect(await page.title()).toContain((await page.locator('h1').textContent()) ?? '');
    }
  });

  test('unknown addresses get an accessible page', async () => {
    const page = await visitor.openBrowser();
    await page.goto('/nowhere');
    expect(await auditPage(page)).toEqual([]);
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('404')]);
  });
});

/** Returns true if the answer is a page, and false if it is a file or a stream of events. */
async function isPage(url: string, member: SignedInBrowser): Promise<boolean> {
  const headers = { Cookie: `session=${member.cookies.get('session') ?? ''}` };
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  stop.abort();
  return response.headers.get('Content-Type')?.startsWith('text/html') === true;
}

/** The rows of a list that are much more than a few lines, although their details are closed. */
function tallRows(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.folding tbody tr')]
    .filter((row) => row.clientHeight > ${String(maxRowPx)})
    .map((row) => 'tall: ' + row.clientHeight + ' px: ' + row.textContent.slice(0, 80))`);
}

/** Returns the forms that the browser checks. It would show problems in its own language. */
function formsOfBrowser(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.forms]
    .filter((form) => !form.noValidate && form.querySelector('[type=date]') === null)
    .map((form) => 'checked by the browser: ' + form.outerHTML.slice(0, 80))`);
}

/** The page with its style and scripts, decompressed, without the font: a browser loads that once. */
function bytesOf(page: Page): Promise<number> {
  const entries =
    "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]";
  return page.evaluate(
    `${entries}.filter(({ name }) => !name.endsWith('.woff2')).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`,
  );
}

/** A page of the dashboard with values for the variable parts of its path. */
interface DashboardPage {
  readonly path: string;
  readonly access: Route['access'];
}

/** Returns every GET route. Throws for a variable part without a value: a new page needs one in `fillAccount`. */
function findPages(
  routes: readonly Route[],
  { params, queries, waitingId }: FilledAccount,
): readonly DashboardPage[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path, access }) => {
      const filled =
        path === '/activity/:id/cancel' ? path.replace(':id', waitingId) : withValues(path, params);
      return { path: filled + (queries[path] ?? ''), access };
    });
}

function withValues(path: string, params: FilledAccount['params']): string {
  const values = params[path.split('/')[1] ?? ''];
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values?.[name];
    if (value === undefined) throw new Error(`${path}: no value for ${name}`);
    return value;
  });
}
