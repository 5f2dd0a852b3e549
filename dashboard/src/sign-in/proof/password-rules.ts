import type { Person } from '@jobs-delete/accounts/people/people';
import { normalize } from './passwords.ts';

const minPasswordLength = 15;
const maxPasswordLength = 128;

export type PasswordProblem = 'short' | 'long' | 'common' | 'personal';

/**
 * Returns why a new password is refused. Follows NIST SP 800-63B-4 for a password that may be the only factor: a length, a list
 * of common passwords, no rules about kinds of characters. A second factor may be removed later, so it lowers no limit.
 *
 * @param names which the password must not consist of
 */
export async function passwordProblem(
  password: string,
  names: readonly string[],
): Promise<PasswordProblem | undefined> {
  const text = normalize(password);
  const { length } = Array.from(text);
  if (length < minPasswordLength) return 'short';
  if (length > maxPasswordLength) return 'long';
  const unit = repeatedUnit(fold(text) || text);
  const personal = [...names, ...names.flatMap((name) => name.split('@')), 'jobs-delete'].map(fold);
  if (personal.includes(unit) || personal.includes(withoutFinalDigits(unit))) return 'personal';
  if (unit.length < 5 || isSequence(unit) || (await loadCommonPasswords()).has(unit)) return 'common';
  return undefined;
}

/** Returns the person's address and accounts. */
export function namesOf({ email, memberships }: Person): readonly string[] {
  return [email, ...memberships.map(({ accountId }) => accountId)];
}

/** Letter case, spaces and punctuation make no password hard to guess. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Returns `abc` for `abcabcab`. */
function repeatedUnit(text: string): string {
  for (let size = 1; size < text.length; size += 1) {
    const unit = text.slice(0, size);
    if (unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return unit;
  }
  return text;
}

function withoutFinalDigits(text: string): string {
  return text.replace(/\d{1,4}$/, '');
}

/** One character, or neighbours such as `abcdef` and `987654`. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.every((step) => Math.abs(step) <= 1 && step === steps[0]);
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Loads 49,000 passwords at the first use, which takes memory in no process that sets none. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((password) => fold(password))),
  );
  return commonPasswords;
}
