import { expect } from '@jest/globals';
import type { TestAnswer } from './test-browser.ts';

/** Returns the value of a hidden field or of a text area of a page. */
export function fieldOf({ text }: TestAnswer, name: string): string {
  const field = new RegExp(`name="${name}" value="([^"]*)"|<textarea name="${name}"[^>]*>([^<]*)<`).exec(
    text,
  );
  const value = field?.[1] ?? field?.[2];
  if (value === undefined) throw new Error(`the page has no field ${name}: ${text.slice(0, 2_000)}`);
  return value;
}

/** Returns the text of the element with this id, without markup. */
export function textOf({ text }: TestAnswer, id: string): string {
  const value = new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1];
  if (value === undefined) throw new Error(`the page has no element ${id}: ${text.slice(0, 2_000)}`);
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Expects two pages that differ only in their forms' tokens and in their own addresses. */
export function expectSamePage(one: TestAnswer, other: TestAnswer): void {
  expect(other.status).toBe(one.status);
  expect(withoutForms(other.text)).toBe(withoutForms(one.text));
}

/** Returns a page without the tokens of its forms and its own address. */
export function withoutForms(html: string): string {
  return html.replaceAll(/name="(csrf|next|once)" value="[^"]*"/g, 'name="$1"');
}
