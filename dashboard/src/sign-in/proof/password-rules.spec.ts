import { expect, test } from '@jest/globals';
import { passwordProblem } from './password-rules.ts';

const names = ['ada.lovelace@analytical.example', 'analytical-engines'];

test.each([
  'four boats under a bridge',
  'aAaAbBbBcCcCdDd',
  'zażółć gęślą jaźń',
  '密码必须足够长才能保护这个账户安全',
  '🐢🦊🐙🦉🐝🦋🐌🐞🦂🐢🦀🐡🐬🐳🦈',
  '!?;:,.-_+*#<>|~^',
  'x'.repeat(100) + ' and twenty-eight others..',
])('%s is accepted', async (password) => {
  expect(await passwordProblem(password, names)).toBeUndefined();
});

test.each([
  ['fourteen chars', 'short'],
  // Fifteen UTF-16 units, but eight characters.
  ['🐢🦊🐙🦉🐝🦋🐌x', 'short'],
  ['x1'.repeat(65), 'long'],
  ['passwordpassword', 'common'],
  ['Password-Password!', 'common'],
  ['qwertyuiopqwertyuiop', 'common'],
  ['aaaaaaaaaaaaaaaa', 'common'],
  ['abababababababab', 'common'],
  ['1234567890123456', 'common'],
  ['abcdefghijklmnop', 'common'],
  ['ada.lovelace@analytical.example', 'personal'],
  ['Ada Lovelace 2026', 'personal'],
  ['analytical-engines', 'personal'],
  ['jobs-delete jobs-delete', 'personal'],
])('%s is refused as %s', async (password, problem) => {
  expect(await passwordProblem(password, names)).toBe(problem);
});
