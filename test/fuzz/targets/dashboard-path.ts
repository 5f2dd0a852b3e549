import { accountOf, safePath } from '@jobs-delete/dashboard/web/account-path';
import type { Target } from '../fuzz.ts';

/** An input is a path that a form or a link names. */
export const dashboardPath: Target = {
  name: 'dashboard-path',
  seeds: [
    '/',
    '/a/acme/activity?state=completed',
    '/a/acme-1_X',
    '//evil.example/',
    'https://evil.example',
    '/\\evil',
  ],
  words: [
    ...[
      '/',
      '//',
      '\\',
      '/\\',
      '/a/',
      'acme',
      '?',
      '#',
      '@',
      ':',
      'https:',
      'javascript:',
      'evil.example',
      '.',
      '..',
      '%2f',
    ],
    ...['%5c', '\t', '\n', '\r', ' ', '\u00a0', '\u2028', '\ufeff', '\0', 'é', '-', '_', 'a'.repeat(64)],
  ],
  run: (input) => {
    const text = input.toString();
    const path = safePath(text);
    const { origin } = new URL(path, 'https://dashboard.example/a/acme/');
    if (origin !== 'https://dashboard.example' || /[^!-~]/.test(path))
      throw new Error(`${JSON.stringify(path)} leads to ${origin}`);
    return `${accountOf(text) ?? 'no account'} ${path}`;
  },
  judge: (input, outcome) => {
    const text = input.toString();
    const [start, a, id = ''] = text.split(/[/?]/);
    const isPath = start === '' && a === 'a' && text.startsWith('/a/');
    const isId = id.length >= 1 && id.length <= 64 && !/[^A-Za-z0-9_-]/.test(id);
    const account = isPath && isId ? id : 'no account';
    const isUsual = text === '/' || /^\/[a-z0-9][a-z0-9/?=&._-]*$/i.test(text);
    return isUsual || outcome === `${account} ${text}` ? `${account} ${text}` : `${account} /`;
  },
};
