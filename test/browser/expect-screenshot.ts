import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { root } from '../readme/readme.ts';
import { encodeWithPalette } from './palette-png.ts';

/**
 * Compares what the window shows with a committed picture. With UPDATE_SCREENSHOTS=1, replaces the picture if it differs.
 *
 * @param path from the root of the repository
 */
export async function expectScreenshot(page: Page, path: string, { fullPage = false } = {}): Promise<void> {
  await page.evaluate(fixTexts);
  const shown = PNG.sync.read(await page.screenshot({ fullPage, animations: 'disabled' }));
  const committed = join(root, path);
  const difference = existsSync(committed) ? compare(shown, PNG.sync.read(readFileSync(committed))) : {};
  if (difference === undefined) return;
  if (process.env.UPDATE_SCREENSHOTS === '1') writeFileSync(committed, encodeWithPalette(shown));
  else throw new Error(`${path} differs. ${save(basename(path), shown, difference.marked)}`);
}

/**
 * Replaces texts of the page that differ in each run: ids, secrets and ports are random, addresses of people are counted, and the
 * date of an answer is that of the machine.
 */
const fixTexts = `{
  const hexadecimal = /(?<![0-9a-z])[0-9a-f]{8}[0-9a-f…-]{4,}(?![0-9a-z])/g;
  const fix = (text) => text
    .replace(hexadecimal, (id) => id.replace(/[0-9a-f]/g, (_, index) => (index % 16).toString(16)))
    .replace(/(?<=localhost:|127\\.0\\.0\\.1:)\\d+/g, '8080')
    .replace(/ada\\d+@/g, 'ada1@')
    .replace(/(?<=^Date: ).+$/gm, 'Thu, 15 Jan 2026 10:00:00 GMT')
    .replace(/(?<=\\/link\\/)[\\w-]{43}/g, 'x'.repeat(43));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const fixed = fix(texts.currentNode.data);
    if (fixed !== texts.currentNode.data) texts.currentNode.data = fixed;
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), textarea')) field.value = fix(field.value);
}`;

/**
 * `pixels` may differ in any square of `windowSize`. Between Chromium 143 and 156, the icon of a date field differs by 36 pixels. One
 * pixel more padding in a badge changes 167.
 */
const tolerance = { pixels: 60, windowSize: 32, threshold: 0.05 };

interface Difference {
  /** Undefined if the sizes differ. */
  readonly marked?: PNG;
}

function compare(shown: PNG, committed: PNG): Difference | undefined {
  const { width, height } = shown;
  if (width !== committed.width || height !== committed.height) return {};
  const { pixels, ...options } = tolerance;
  const count = (marked?: PNG) =>
    pixelmatch(committed.data, shown.data, marked?.data, width, height, options);
  if (count() <= pixels) return undefined;
  const marked = new PNG({ width, height });
  count(marked);
  return { marked };
}

/** Saves what is shown, and what differs. Says where. */
function save(name: string, shown: PNG, marked: PNG | undefined): string {
  const folder = join(tmpdir(), 'jobs-delete-screenshots');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), PNG.sync.write(shown));
  if (marked === undefined) return `It has another size than ${join(folder, name)}, or does not exist.`;
  writeFileSync(join(folder, `marked-${name}`), PNG.sync.write(marked));
  return `Look at ${name} and marked-${name} in ${folder}.`;
}
