import { randomBytes } from 'node:crypto';

/** Returns the id of a new person, session or audit entry: 24 random characters of lower-case hex. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}
