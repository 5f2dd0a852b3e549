import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { root } from '../readme/readme.ts';

const folder = join(root, 'docs/screenshots');

/** With UPDATE_SCREENSHOTS=1, writes a picture of the page's top. Otherwise it must exist, with the same width. */
export async function expectScreenshot(page: Page, name: string, width: number): Promise<void> {
  const path = join(folder, name);
  await page.screenshot(process.env.UPDATE_SCREENSHOTS === '1' ? { path } : {});
  // The width is at byte 16 of a PNG.
  expect(readFileSync(path).readUInt32BE(16)).toBe(width);
}
