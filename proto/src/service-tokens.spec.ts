import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { watchServiceTokens, type WatchedServiceTokens } from './service-tokens.ts';

const [old, young] = ['the-old-token-of-32-characters-or-more', 'the-new-token-of-32-characters-or-more'];
const everyMs = 1_000;
let folder: string;
let path: string;
let logged: unknown[];
let watched: WatchedServiceTokens;

beforeEach(() => {
  jest.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'service-tokens-'));
  path = join(folder, 'tokens');
  writeFileSync(path, `${old}\n`);
  logged = [];
  const log = {
    info: (message: string) => void logged.push(message),
    warn: (details: object, message: string) => void logged.push([details, message]),
  };
  watched = watchServiceTokens(path, [{ caller: 'gateway', token: old }], { log, everyMs });
});
afterEach(() => {
  watched.stop();
  jest.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const poll = (times: number) => jest.advanceTimersByTime(times * everyMs);
const linkTo = (target: string) => {
  rmSync(path);
  symlinkSync(target, path);
};
const tokens = () => watched.current().map(({ token }) => token);

test('changed tokens count after two equal polls, and unchanged ones are the same list', () => {
  const first = watched.current();
  poll(5);
  expect(watched.current()).toBe(first);
  writeFileSync(path, `${young},search:${old}\n`);
  poll(1);
  expect(tokens()).toEqual([old]);
  poll(1);
  expect(watched.current()).toEqual([
    { caller: 'gateway', token: young },
    { caller: 'search', token: old },
  ]);
  expect(logged).toEqual(['new service tokens are in use']);
});

test.each([
  ['too short', () => writeFileSync(path, 'secret'), /^must be TOKEN or CALLER:TOKEN/],
  ['empty', () => writeFileSync(path, '\n'), /is empty$/],
  ['removed', () => rmSync(path), /^cannot read the file \(ENOENT\)$/],
  ['not a regular one', () => linkTo(devNull), /^cannot read the file \(not a regular file\)$/],
])(
  'a file that is %s is logged once without its contents, and the previous tokens stay',
  (_, spoil, reason) => {
    spoil();
    poll(5);
    expect(tokens()).toEqual([old]);
    expect(logged).toEqual([
      [
        { file: path, reason: expect.stringMatching(reason) },
        'new service tokens cannot be used; the previous ones stay in use',
      ],
    ]);
    expect(JSON.stringify(logged)).not.toContain('secret');
    rmSync(path, { force: true });
    writeFileSync(path, young);
    poll(2);
    expect(tokens()).toEqual([young]);
  },
);
