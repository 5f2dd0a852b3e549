import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** How authenticator apps count: six digits of SHA-1 in steps of 30 seconds (RFC 6238). No common app supports more. */
const period = 30;
const settings = { issuer: 'jobs-delete', algorithm: 'SHA1', digits: 6, period };

/** 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): Buffer {
  return randomBytes(20);
}

export function totpOf(secret: Buffer, label: string): TOTP {
  const bytes = Uint8Array.from(secret);
  return new TOTP({ ...settings, label, secret: new Secret({ buffer: bytes.buffer }) });
}

/** Returns the time step of a code. Accepts one step before and after now. Undefined for a wrong code. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const totp = totpOf(secret, '');
  const delta = totp.validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: nowMs }) + delta;
}

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts a secret. Only the same key and purpose open it. */
export function seal(key: Buffer, secret: Buffer, purpose: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(
    Buffer.from(purpose),
  );
  const content = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]);
}

/** Returns undefined for bytes that were changed, or sealed with another key or purpose. */
export function unseal(keys: readonly Buffer[], sealed: Buffer, purpose: string): Buffer | undefined {
  if (sealed.length <= ivBytes + tagBytes) return undefined;
  return keys.map((key) => unsealWith(key, sealed, purpose)).find((secret) => secret !== undefined);
}

function unsealWith(key: Buffer, sealed: Buffer, purpose: string): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
