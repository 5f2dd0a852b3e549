import { expect, test } from '@jest/globals';
import { SourceTextModule } from 'node:vm';
import { idsScript, script, signInScript } from './assets.ts';

test.each([script, idsScript, signInScript])('a script is served without comments: $path', ({ content }) => {
  const text = content.toString();
  expect(text).not.toMatch(/^\s|^\/[/*]|\n\s/m);
  expect(() => new SourceTextModule(text)).not.toThrow();
});
