import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { formatText, renderPage } from './public-document.ts';

test('a text cannot add elements to a page', () => {
  expect(formatText('`<b>` & "quotes"')).toBe('<code>&#60;b&#62;</code> &#38; &#34;quotes&#34;');
  const { body } = renderPage({ language: 'en', title: '</title><script>', main: '<p>text</p>' });
  expect(body).toContain('<title>&#60;/title&#62;&#60;script&#62;</title>');
});

test('the policy of a page allows its own style only', () => {
  const { body, contentSecurityPolicy } = renderPage({ language: 'es', title: 'x', main: '<p>text</p>' });
  expect(body).toMatch(/^<!doctype html>\n<html lang="es">/);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(contentSecurityPolicy).toBe(
    `default-src 'none';style-src 'sha256-${hash}';img-src data:;base-uri 'none';form-action 'none';frame-ancestors 'none'`,
  );
});

test('a page loads nothing', () => {
  const { body } = renderPage({ language: 'fr', title: 'x', main: '<p>text</p>' });
  expect(body).not.toMatch(/<script|<iframe|<img|@import|url\(|https?:|\sstyle=/);
  expect(body.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
});
