import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Presses Tab until the focus is on the element of this CSS selector. Every stop on the way must be visible. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 120; stops++) {
    await page.keyboard.press('Tab');
    // Chromium outlines the calendar button inside a field for a date, which no script can read.
    const outline = await page.evaluate<string>(
      "document.activeElement.matches('[type=date]') ? 'auto' : getComputedStyle(document.activeElement).outlineStyle",
    );
    expect(outline).not.toBe('none');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Moves to a field with Tab, and types into it. */
export async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Moves to a link or button with Tab, and presses Enter. */
export async function pressOn(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}
