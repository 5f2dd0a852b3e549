import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hashCredential } from '../credentials/credential.ts';
import { readPepper } from './read-pepper.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'pepper-')), 'data');
  path = join(dataDir, 'credential-pepper');
});
afterEach(() => {
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

const write = (content: string) => {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path, content);
};
const hash = (fromEnv?: string) => hashCredential(readPepper(dataDir, fromEnv), 'text').toString('hex');
const caught = (use: () => unknown): unknown => {
  try {
    use();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('without a variable a pepper is made once, for its owner only', () => {
  const first = hash();
  const content = readFileSync(path, 'utf8');
  expect(content).toMatch(/^[0-9a-f]{64}\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataDir)).toEqual(['credential-pepper']);
  expect(hash()).toBe(first);
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test('two data folders have two peppers', () => {
  const first = hash();
  rmSync(path);
  expect(hash()).not.toBe(first);
});

test('the variable wins, and no file is made for it', () => {
  const variable = 'v'.repeat(32);
  const fromVariable = hash(variable);
  expect(() => readdirSync(dataDir)).toThrow(/ENOENT/);
  expect(hash('')).not.toBe(fromVariable);
  expect(hash(variable)).toBe(fromVariable);
});

test('the file’s content gives the same pepper from the variable', () => {
  const fromFile = hash();
  expect(hash(readFileSync(path, 'utf8'))).toBe(fromFile);
});

test('a variable that is too short is refused without being repeated', () => {
  for (const short of ['s3cret', `${'s'.repeat(31)} `, ' '.repeat(40)]) {
    const error = caught(() => readPepper(dataDir, short));
    expect(error).toMatchObject({ name: 'StartupError', exitCode: 2 });
    expect(inspect(error)).toContain('CREDENTIAL_PEPPER: must have at least 32 characters');
    if (short.trim() !== '') expect(inspect(error)).not.toContain(short.trim());
  }
});

test.each([
  '',
  '\n',
  'ab',
  'a1'.repeat(31),
  'a1'.repeat(33),
  'A1'.repeat(32),
  'zz'.repeat(32),
  '\0'.repeat(64),
])('a file that holds %j is refused, not replaced and not repeated', (content) => {
  write(content);
  const error = caught(() => readPepper(dataDir));
  expect(error).toMatchObject({ name: 'StartupError', exitCode: 1 });
  expect(inspect(error)).toContain(path);
  if (content.length > 2) expect(inspect(error)).not.toContain(content);
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test('what can’t be read or created is named', () => {
  mkdirSync(path, { recursive: true });
  expect(() => readPepper(dataDir)).toThrow(/Cannot read the file .*credential-pepper \(EISDIR\)/);
  rmSync(dataDir, { recursive: true });
  writeFileSync(dataDir, 'no folder');
  expect(() => readPepper(dataDir)).toThrow(/Cannot read the file .*credential-pepper \(ENOTDIR\)/);
  const long = join(dataDir, '..', 'x'.repeat(300));
  expect(() => readPepper(long)).toThrow(/Cannot (read|create) the file .*ENAMETOOLONG/);
});

test('what a crashed start has left is no pepper', () => {
  write('ab');
  rmSync(path);
  writeFileSync(`${path}.0123456789ab.tmp`, 'a1'.repeat(10));
  expect(hash()).toBe(hash(readFileSync(path, 'utf8')));
});

test('a pepper doesn’t print', () => {
  const variable = 'super-secret-pepper-of-32-characters';
  const pepper = readPepper(dataDir, variable);
  for (const printed of [inspect(pepper, { depth: 9, showHidden: true }), JSON.stringify({ pepper })]) {
    expect(printed).not.toContain('secret-pepper');
  }
});

test('processes that start at once agree on one pepper', async () => {
  for (let round = 0; round < 3; round++) {
    rmSync(dataDir, { recursive: true, force: true });
    const hashes = await race(8);
    expect(hashes).toEqual(Array.from({ length: 8 }, () => hash()));
    expect(readdirSync(dataDir)).toEqual(['credential-pepper']);
  }
});

/** Runs on the compiled code. Each process waits for a line, then prints its hash. */
const program = `
  import { readPepper } from '@jobs-delete/accounts/pepper/read-pepper';
  import { hashCredential } from '@jobs-delete/accounts/credentials/credential';
  process.stdin.once('data', () => {
    process.stdout.write(hashCredential(readPepper(process.argv[1]), 'text').toString('hex'));
    process.stdin.destroy();
  });
  process.stdout.write('ready ');`;

async function race(count: number): Promise<string[]> {
  const racers = Array.from({ length: count }, () => {
    const args = ['--input-type=module', '--eval', program, dataDir];
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const ended = closed.then(([code]) =>
      Promise.reject(new Error(`the program ended with ${String(code)}`)),
    );
    const racer = { child, output: '', ready: Promise.race([once(child.stdout, 'data'), ended]), closed };
    ended.catch(() => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (racer.output += text));
    return racer;
  });
  await Promise.all(racers.map(({ ready }) => ready));
  for (const { child } of racers) child.stdin.end('go\n');
  await Promise.all(racers.map(({ closed }) => closed));
  return racers.map(({ output }) => output.replace('ready ', ''));
}
