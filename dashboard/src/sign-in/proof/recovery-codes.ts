import { randomInt } from 'node:crypto';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codeLength = 16;

/** Returns ten codes of 79 bits, such as `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: 10 }, () => {
    const characters = Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length)));
    return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Returns the stored form (32 bytes). Letter case, spaces and hyphens do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return hashSecret(code.toLowerCase().replace(/[\s-]/g, ''));
}
