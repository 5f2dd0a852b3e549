import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codes, languages } from '../http/contract.ts';
import { describeWith } from '../servers/describe-with.ts';
import { auditPage, overflowOf } from './page-actions.ts';
import { visitDocuments } from './use-chromium.ts';

/** Layout does not depend on the scheme, nor do colors on the width. */
const looks = [
  ['light', 360],
  ['dark', 1_440],
] as const;
/** French has the longest texts. */
const looksOf = { en: looks.slice(0, 1), es: looks.slice(0, 1), fr: looks };

describeWith('chromium', 'the public pages in Chromium', (executablePath) => {
  const visitor = visitDocuments(executablePath);

  describe.each(languages)('in %s', (language) => {
    test.each(looks)('the documentation is accessible in %s at %d px', async (colorScheme, width) => {
      const page = await visitor.open(`/docs/${language}`, { colorScheme, viewport: { width, height: 800 } });
      expect(await auditPage(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    });

    test.each(looksOf[language])(
      'every problem page is accessible in %s at %d px',
      async (colorScheme, width) => {
        const page = await visitor.open('/docs', {
          colorScheme,
          locale: language,
          viewport: { width, height: 800 },
        });
        for (const code of codes) {
          const path = `/problems/${code.replaceAll('_', '-')}`;
          await page.goto(visitor.service().baseUrl + path);
          expect([path, await auditPage(page), await overflowOf(page)]).toEqual([path, [], 0]);
          expect(await page.evaluate('document.documentElement.lang')).toBe(language);
        }
      },
    );

    test('/docs is in the language of the browser, and links to the other languages', async () => {
      const page = await visitor.open('/docs', { locale: language });
      const [title, lang] = [await page.title(), await page.evaluate('document.documentElement.lang')];
      expect(lang).toBe(language);
      for (const [name, code] of Object.entries({ English: 'en', Español: 'es', Français: 'fr' })) {
        await page.getByRole('link', { name }).click();
        await page.waitForURL(`**/docs/${code}`);
        expect(await page.evaluate('document.documentElement.lang')).toBe(code);
      }
      expect((await page.title()) === title).toBe(language === 'fr');
    });
  });

  test('the page follows the color scheme', async () => {
    const background = 'getComputedStyle(document.body).backgroundColor';
    const light = await visitor.open('/docs', { colorScheme: 'light' });
    expect(await light.evaluate(background)).toBe('rgb(255, 255, 255)');
    const dark = await visitor.open('/docs', { colorScheme: 'dark' });
    expect(await dark.evaluate(background)).toBe('rgb(21, 24, 27)');
  });

  test('every link leads to a document or a part of the page', async () => {
    const page = await visitor.open('/docs/en');
    const urls = await page.evaluate<string[]>("[...document.querySelectorAll('a')].map(({ href }) => href)");
    expect(urls.length).toBeGreaterThan(20);
    for (const url of new Set(urls)) {
      const { hash } = new URL(url);
      if (hash === '') expect([url, (await page.request.get(url)).status()]).toEqual([url, 200]);
      else expect(await page.locator(hash).count()).toBe(1);
    }
  });

  test('the page states the address that the browser reached it by', async () => {
    const page = await visitor.open('/docs/en');
    const { baseUrl } = visitor.service();
    expect(await page.locator('#start').locator('..').textContent()).toContain(
      `export JOBS_DELETE_URL='${baseUrl}'`,
    );
    expect(await page.locator('#sandbox').locator('..').textContent()).toContain(visitor.origin());
  });

  describe('the origin of the caller', () => {
    const shown = (page: Page) => page.locator('[data-address=own]').allTextContents();
    const everywhere = (origin: string) => Array<string>(4).fill(origin);

    test.each([
      ['https://shop.example', 'https://shop.example'],
      ['https://SHOP.example:8443/path?x#y', 'https://shop.example:8443'],
      ['http://localhost:3000', 'http://localhost:3000'],
    ])('?origin=%s fills in the examples', async (given, origin) => {
      const page = await visitor.open(`/docs/en?origin=${encodeURIComponent(given)}`);
      expect(await shown(page)).toEqual(everywhere(origin));
      expect(await page.getByLabel('Your origin').inputValue()).toBe(origin);
      expect(await page.locator('#start').locator('..').textContent()).toContain(
        `export JOBS_DELETE_ORIGIN='${origin}'`,
      );
    });

    test.each([
      '<img src=x onerror=alert(1)>',
      'https://"><script>alert(1)</script>',
      'javascript:alert(1)',
      'data:text/html,x',
      "https://a';curl$IFS-evil;'.example",
      'https://a$(id).example',
      'https://a`id`.example',
      'null',
    ])('?origin=%s changes nothing', async (given) => {
      const page = await visitor.open(`/docs/en?origin=${encodeURIComponent(given)}`);
      expect(await shown(page)).toEqual(everywhere('https://acme.example'));
      expect(await page.getByLabel('Your origin').inputValue()).toBe('');
      expect(await page.locator('img, script:not(body > script)').count()).toBe(0);
    });

    test('the field fills in the examples, and a wrong value does not', async () => {
      const page = await visitor.open('/docs/en');
      const field = page.getByLabel('Your origin');
      await field.fill('https://www.acme.example');
      expect(await shown(page)).toEqual(everywhere('https://www.acme.example'));
      await field.fill("https://a'b.example");
      expect(await shown(page)).toEqual(everywhere('https://acme.example'));
      expect(await auditPage(page)).toEqual([]);
    });
  });

  test('without a script, every example is visible, and the form is not', async () => {
    const page = await visitor.open('/docs/en', { javaScriptEnabled: false });
    expect(await page.locator('.example:visible').count()).toBe(14);
    expect(await page.locator('#sandbox-form').isVisible()).toBe(false);
    expect(await page.getByText('The form needs JavaScript.').isVisible()).toBe(true);
  });
});
