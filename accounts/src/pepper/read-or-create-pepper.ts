import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createPrivateFolder,
  requireOwnFolder,
  syncFolder,
  writePrivateFile,
} from '@jobs-delete/runtime/files/private-files';
import { StartupError } from '@jobs-delete/runtime/startup-error';

const minCharacters = 32;

/**
 * Returns the key that hashes every credential: `fromEnv` (CREDENTIAL_PEPPER) if it is set, otherwise the file
 * `credential-pepper` in the data folder, which the first use creates. The same text gives the same key from both, so
 * the file's content can move to the variable. A KeyObject never shows its key in a log or an error.
 * @throws StartupError, without the text
 */
export function readOrCreatePepper(dataDir: string, fromEnv?: string): KeyObject {
  if (fromEnv) return pepperOf(checkedVariable('CREDENTIAL_PEPPER', fromEnv));
  requireOwnFolder(dataDir);
  const path = pepperPath(dataDir);
  return pepperOf(readFile(path) ?? createFile(dataDir, path));
}

/** Returns the key of CREDENTIAL_PEPPER_PREVIOUS. @throws StartupError, without the text */
export function readPreviousPepper(fromEnv: string | undefined): KeyObject | undefined {
  return fromEnv ? pepperOf(checkedVariable('CREDENTIAL_PEPPER_PREVIOUS', fromEnv)) : undefined;
}

export function pepperPath(dataDir: string): string {
  return join(dataDir, 'credential-pepper');
}

function pepperOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}

function checkedVariable(name: string, value: string): string {
  const text = value.trim();
  if (text.length >= minCharacters) return text;
  throw new StartupError(`${name}: must have at least ${String(minCharacters)} characters`, {
    exitCode: 2,
  });
}

/** Returns undefined when there is no file. Never replaces a damaged one: the stored hashes need its content. */
function readFile(path: string): string | undefined {
  const content = withAdvice('read', path, () => readIfExists(path));
  const text = content?.trim();
  if (text === undefined || /^[0-9a-f]{64}$/.test(text)) return text;
  throw new StartupError(
    `The file ${path} must contain 64 lower-case hex digits, and does not: restore it from a backup. With any other ` +
      'content, every credential stops working.',
  );
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads the file back: another process may have created it first. */
function createFile(dataDir: string, path: string): string {
  withAdvice('create', path, () => {
    createPrivateFolder(dataDir);
    createFileOnce(path, `${randomBytes(32).toString('hex')}\n`);
  });
  const text = readFile(path);
  if (text === undefined)
    throw new StartupError(`The file ${path} was removed during its creation: start again.`);
  return text;
}

function withAdvice<Result>(verb: 'read' | 'create', path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new StartupError(
      `Cannot ${verb} the file ${path} (${errnoOf(error) ?? String(error)}): correct this, or set CREDENTIAL_PEPPER.`,
      { cause: error },
    );
  }
}

/**
 * Creates a file with mode 0600, unless it exists. After a crash or a race of several processes, `path` is absent or has
 * the whole content of one caller: the content is durable before the name exists, and a hard link never replaces a file.
 * On return, the name is durable too.
 */
export function createFileOnce(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writePrivateFile(temporary, content, 'wx');
    linkUnlessExists(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(dirname(path));
}

function linkUnlessExists(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** The code of a failed system call, such as `ENOENT`. `instanceof Error` fails for errors of another realm. */
function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
