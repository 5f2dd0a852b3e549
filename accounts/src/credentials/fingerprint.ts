import { createHmac, type KeyObject } from 'node:crypto';

/** Returns the fingerprint of a pepper. No credential has the hashed text, so it is the hash of no credential. */
export function fingerprintOf(pepper: KeyObject): Buffer {
  return createHmac('sha256', pepper).update('fingerprint of the credential pepper').digest();
}

/** Returns the public name of a pepper: the first 16 hex digits of its fingerprint. */
export function pepperIdOf(fingerprint: Buffer): string {
  return fingerprint.toString('hex', 0, 8);
}
