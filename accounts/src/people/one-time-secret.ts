import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as 43 characters of base64url: the secret of a link or of a session cookie. */
export function newSecret(random: (size: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url');
}

/** Returns the stored form (32 bytes). No key is needed: nobody can guess 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
