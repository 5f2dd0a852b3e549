import { randomBytes } from 'node:crypto';

/** 1 to 64 characters that need no escaping in a URL, a file name or a shell. */
export function isAccountId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export function newAccountId(): string {
  return `acc_${randomBytes(12).toString('hex')}`;
}
