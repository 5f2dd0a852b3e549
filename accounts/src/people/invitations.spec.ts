import { expect, test } from '@jest/globals';
import { parseEmail } from './invitations.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM\n', 'ada@example.com'],
  ["o'brien+jobs@mail.example.com", "o'brien+jobs@mail.example.com"],
  ['ÉLODIE@exämple.com', 'élodie@exämple.com'],
  ['e\u0301lodie@example.com', 'élodie@example.com'],
  ['root@localhost', 'root@localhost'],
  [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
])('%j is the address %s', (text, email) => {
  expect(parseEmail(text)).toBe(email);
});

test.each([
  ...['', ' ', '@', 'ada', 'ada@', '@example.com', 'ada@@example.com', 'ada@one@two'],
  ...['a da@example.com', 'ada@exam\tple.com', 'ada@exam\nple.com', 'ada\0@example.com'],
  ...['ada\u200b@example.com', 'ada\u202e@example.com', 'ada@example\u3000.com', '\ud800@example.com'],
  `${'a'.repeat(243)}@example.com`,
])('%j is no address', (text) => {
  expect(parseEmail(text)).toBeUndefined();
});
