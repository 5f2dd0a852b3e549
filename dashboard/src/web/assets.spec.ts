import { expect, test } from '@jest/globals';
import { SourceTextModule } from 'node:vm';
import { jobsFormScript, script, signInScript } from './assets.ts';

test.each([script, jobsFormScript, signInScript])(
  'a script is served without comments: $path',
  ({ content }) => {
    const text = content.toString();
    expect(text).not.toMatch(/^\s|^\/[/*]|\n\s/m);
    expect(() => new SourceTextModule(text)).not.toThrow();
  },
);
