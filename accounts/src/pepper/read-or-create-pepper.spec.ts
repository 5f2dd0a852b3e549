import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashCredential } from '../credentials/credential.ts';
import { createFileOnce, readOrCreatePepper } from './read-or-create-pepper.ts';

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
const hash = (fromEnv?: string) =>
  hashCredential(readOrCreatePepper(dataDir, fromEnv), 'text').toString('hex');
const caught = (use: () => unknown): unknown => {
  try {
    use();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('without a variable, the first use creates a pepper that only the owner can read', () => {
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

test('the variable overrides the file, and creates none', () => {
  const variable = 'v'.repeat(32);
  const fromVariable = hash(variable);
  expect(() => readdirSync(dataDir)).toThrow(/ENOENT/);
  expect(hash('')).not.toBe(fromVariable);
  expect(hash(variable)).toBe(fromVariable);
});

test('the content of the file gives the same pepper as a variable', () => {
  const fromFile = hash();
  expect(hash(readFileSync(path, 'utf8'))).toBe(fromFile);
});

test('a short variable is refused, and the error does not show it', () => {
  for (const short of ['s3cret', `${'s'.repeat(31)} `, ' '.repeat(40)]) {
    const error = caught(() => readOrCreatePepper(dataDir, short));
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
])('a file with the content %j is refused, not replaced and not shown', (content) => {
  write(content);
  const error = caught(() => readOrCreatePepper(dataDir));
  expect(error).toMatchObject({ name: 'StartupError', exitCode: 1 });
  expect(inspect(error)).toContain(path);
  if (content.length > 2) expect(inspect(error)).not.toContain(content);
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test('an error names the file that cannot be read or created', () => {
  mkdirSync(path, { recursive: true });
  expect(() => readOrCreatePepper(dataDir)).toThrow(/Cannot read the file .*credential-pepper \(EISDIR\)/);
  rmSync(dataDir, { recursive: true });
  writeFileSync(dataDir, 'no folder');
  expect(() => readOrCreatePepper(dataDir)).toThrow(/Cannot read the file .*credential-pepper \(ENOTDIR\)/);
  const long = join(dataDir, '..', 'x'.repeat(300));
  expect(() => readOrCreatePepper(long)).toThrow(/Cannot (read|create) the file .*ENAMETOOLONG/);
});

test('the temporary file of a crashed start is no pepper', () => {
  write('ab');
  rmSync(path);
  writeFileSync(`${path}.0123456789ab.tmp`, 'a1'.repeat(10));
  expect(hash()).toBe(hash(readFileSync(path, 'utf8')));
});

test('a pepper does not print', () => {
  const variable = 'super-secret-pepper-of-32-characters';
  const pepper = readOrCreatePepper(dataDir, variable);
  for (const printed of [inspect(pepper, { depth: 9, showHidden: true }), JSON.stringify({ pepper })]) {
    expect(printed).not.toContain('secret-pepper');
  }
});

test('processes that start at the same time agree on one pepper', async () => {
  for (let round = 0; round < 3; round++) {
    rmSync(dataDir, { recursive: true, force: true });
    const hashes = await race(8);
    expect(hashes).toEqual(Array.from({ length: 8 }, () => hash()));
    expect(readdirSync(dataDir)).toEqual(['credential-pepper']);
  }
});

/** Runs on the compiled code. Each process waits for a line, then prints its hash. */
const program = `
  import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
  import { hashCredential } from '@jobs-delete/accounts/credentials/credential';
  process.stdin.once('data', () => {
    process.stdout.write(hashCredential(readOrCreatePepper(process.argv[1]), 'text').toString('hex'));
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

test('a pepper in a folder that others may write is refused, and not read', () => {
  const shared = mkdtempSync(join(tmpdir(), 'pepper-shared-'));
  chmodSync(shared, 0o777);
  expect(() => readOrCreatePepper(shared)).toThrow(
    'Other users of this machine may write to the data folder',
  );
  expect(readdirSync(shared)).toEqual([]);
  expect(() => readOrCreatePepper(shared, 'a pepper from the environment, 32+')).not.toThrow();
  rmSync(shared, { recursive: true });
});

describe('createFileOnce', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'file-once-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('only the owner can read the file, and no other file stays in the folder', () => {
    createFileOnce(join(folder, 'secret'), 'content');
    expect(readdirSync(folder)).toEqual(['secret']);
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('content');
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  test('an existing file keeps its content', () => {
    createFileOnce(join(folder, 'secret'), 'first');
    createFileOnce(join(folder, 'secret'), 'second');
    expect(readdirSync(folder)).toEqual(['secret']);
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('first');
  });

  test('after a failure no file stays', () => {
    mkdirSync(join(folder, 'inner'));
    expect(() => createFileOnce(join(folder, 'missing', 'secret'), 'content')).toThrow(/ENOENT/);
    expect(() => createFileOnce(join(folder, `inner/${'x'.repeat(240)}`), 'content')).toThrow(/ENAMETOOLONG/);
    expect(readdirSync(join(folder, 'inner'))).toEqual([]);
  });
});
