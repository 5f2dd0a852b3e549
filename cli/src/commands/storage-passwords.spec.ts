import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();

/** No word of the messages has four of these in a row. */
const password = fc.string({
  unit: fc.constantFrom(...Array.from('QZXJ5790/@/@:?#%[]&=,;.+ \n\\\'"$-_~')),
  minLength: 4,
  maxLength: 24,
});

/** Every run of four characters of the password that has two letters or digits. */
function piecesOf(text: string): string[] {
  return Array.from(text, (_, start) => text.slice(start, start + 4)).filter((piece) =>
    /^(?=.{4}$)(?:.*[A-Z0-9]){2}/s.test(piece),
  );
}

test.each([
  ['DATABASE_URL', (text: string) => `mongodb://user:${text}@127.0.0.1:1/jobs?serverSelectionTimeoutMS=1`],
  ['DATABASE_URL', (text: string) => `mongodb+srv://user:${text}@127.0.0.1:1/jobs`],
  ['DATABASE_URL', (text: string) => `mongodb:user:${text}@127.0.0.1:1/jobs`],
  ['DATABASE_URL', (text: string) => `sqlite://user:${text}@127.0.0.1/jobs`],
  ['EVENT_LOG_URL', (text: string) => `kafka://user:${text}/@127.0.0.1:1?tls=true`],
  ['EVENT_LOG_URL', (text: string) => `kafka:user:${text}@127.0.0.1:1`],
])('doctor prints no four characters in a row of a password in %s', async (name, urlOf) => {
  const CREDENTIAL_PEPPER = 'a pepper of at least 32 characters';
  await fc.assert(
    fc.asyncProperty(password, async (text) => {
      const env = { CREDENTIAL_PEPPER, [name]: urlOf(text) };
      const { stdout, stderr } = await cli.runWith({ env }, 'doctor');
      expect(stdout + stderr).toMatch(/^problem/m);
      for (const piece of piecesOf(text)) expect(stdout + stderr).not.toContain(piece);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ['jobs', 'count'],
  ['accounts', 'list'],
  ['accounts', 'create', 'acme'],
  ['deletions', 'list'],
  ['indexes', 'create'],
  ['audit'],
])('%s %s does not print the password of an SQLite URL', async (...args) => {
  const env = { DATABASE_URL: 'sqlite://user:s3cret@db.example/jobs' };
  const { exitCode, stdout, stderr } = await cli.runWith({ env }, ...args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('DATABASE_URL: must be sqlite:PATH');
  expect(stdout + stderr).not.toContain('s3cret');
});
