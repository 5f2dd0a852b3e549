import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readEnvironment } from './read-environment.ts';
import { namesOf, secret } from './variables.ts';
import { trialSecretProblems } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(content: string): string {
  const path = join(folder, 'secret');
  writeFileSync(path, content);
  return path;
}

const variables = {
  DATABASE_URL: secret(z.string().optional().describe('a database')),
  PORT: z.string().optional(),
};
const read = (env: NodeJS.ProcessEnv) => readEnvironment(variables, env);

test('a secret comes from its file, without the line break', () => {
  expect(read({ DATABASE_URL_FILE: fileWith('a secret\n') }).DATABASE_URL).toBe('a secret');
  expect(read({ DATABASE_URL_FILE: '', DATABASE_URL: 'a value' }).DATABASE_URL).toBe('a value');
  expect(variables.DATABASE_URL.description).toBe('a database');
});

test('a variable that is no secret has no file', () => {
  expect(read({ PORT_FILE: fileWith('1') }).PORT).toBeUndefined();
  expect(namesOf(variables)).toEqual(['DATABASE_URL', 'DATABASE_URL_FILE', 'PORT']);
});

test.each([
  ['missing', () => join(folder, 'missing'), /^DATABASE_URL_FILE: cannot read the file \(ENOENT\)$/],
  ['a folder', () => folder, /^DATABASE_URL_FILE: cannot read the file \(EISDIR\)$/],
  ['empty', () => fileWith(' \n'), /^DATABASE_URL_FILE: the file is empty$/],
])('a file that is %s is a problem', (_, path, problem) => {
  expect(() => read({ DATABASE_URL_FILE: path() })).toThrow(
    expect.objectContaining({ problems: [expect.stringMatching(problem)] }),
  );
});

test('a variable and its file together are a problem, among all others', () => {
  const env = { DATABASE_URL: 'one', DATABASE_URL_FILE: fileWith('two'), PORT: 'many' };
  const shape = { DATABASE_URL: variables.DATABASE_URL, PORT: z.literal('1', { error: 'must be 1' }) };
  expect(() => readEnvironment(shape, env)).toThrow(
    expect.objectContaining({
      problems: ['DATABASE_URL_FILE: must not be set together with DATABASE_URL', 'PORT: must be 1'],
    }),
  );
});

test('a problem with the contents shows no part of them', () => {
  const shape = { CREDENTIAL_PEPPER: secret(z.string().min(32, { error: 'is too short' })) };
  expect(() => readEnvironment(shape, { CREDENTIAL_PEPPER_FILE: fileWith('hidden') })).toThrow(
    expect.objectContaining({ problems: ['CREDENTIAL_PEPPER: is too short'] }),
  );
});

const trial = 'for-trying-it-out-only-0123456789abcdef';

test('a trial secret is refused with the name of its variable, but not its value', () => {
  const problems = trialSecretProblems(
    { TRIAL_SECRETS: 'refused' },
    { CREDENTIAL_PEPPER: trial, GRPC_SERVICE_TOKENS: ['own', trial], OTHER: 'own', MISSING: undefined },
  );
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'CREDENTIAL_PEPPER',
    'GRPC_SERVICE_TOKENS',
  ]);
  expect(problems.join()).not.toContain('for-trying');
});

test('a trial secret is accepted where it is allowed', () => {
  expect(trialSecretProblems({ TRIAL_SECRETS: 'allowed' }, { CREDENTIAL_PEPPER: trial })).toEqual([]);
});
