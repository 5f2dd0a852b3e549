import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFolder } from '@jobs-delete/runtime/files/private-files';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { createFileOnce } from './create-file-once.ts';
import { errnoOf } from './errno-of.ts';

const leastCharacters = 32;

/**
 * The key of every credential's hash: `fromEnv` (CREDENTIAL_PEPPER) when it is set, else the file
 * `credential-pepper` in the data folder, made on first use. The same text gives the same key from either, so that
 * the file's content can move into the variable. A KeyObject prints as nothing, in a log or in an error.
 * @throws StartupError that never holds the text
 */
export function readPepper(dataDir: string, fromEnv?: string): KeyObject {
  if (fromEnv) return pepperOf(checkedVariable(fromEnv));
  const path = join(dataDir, 'credential-pepper');
  return pepperOf(readFile(path) ?? createFile(dataDir, path));
}

function pepperOf(text: string): KeyObject {
  return createSecretKey(text, 'utf8');
}

function checkedVariable(value: string): string {
  const text = value.trim();
  if (text.length >= leastCharacters) return text;
  throw new StartupError(`CREDENTIAL_PEPPER: must have at least ${String(leastCharacters)} characters`, {
    exitCode: 2,
  });
}

/** Undefined when there is none. A file that isn't what this program writes is never replaced: hashes hang on it. */
function readFile(path: string): string | undefined {
  const content = explaining('read', path, () => readIfThere(path));
  const text = content?.trim();
  if (text === undefined || /^[0-9a-f]{64}$/.test(text)) return text;
  throw new StartupError(
    `The file ${path} must hold 64 lower-case hex digits and doesn't: restore it from a backup. With another ` +
      'content every credential issued so far stops working.',
  );
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads back what is there then: another process may have been first. */
function createFile(dataDir: string, path: string): string {
  explaining('create', path, () => {
    createPrivateFolder(dataDir);
    createFileOnce(path, `${randomBytes(32).toString('hex')}\n`);
  });
  const text = readFile(path);
  if (text === undefined) throw new StartupError(`The file ${path} was removed while it was being created.`);
  return text;
}

function explaining<Result>(verb: 'read' | 'create', path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new StartupError(
      `Cannot ${verb} the file ${path} (${errnoOf(error) ?? String(error)}): correct that, or set CREDENTIAL_PEPPER.`,
      { cause: error },
    );
  }
}
