import { hkdfSync, type KeyObject } from 'node:crypto';
import type { Services } from './services.ts';

/** One key for each purpose. All replicas derive the same ones from the pepper, without a further secret. */
export interface Keys {
  readonly csrf: Buffer;
  /** Encrypt the secrets of authenticator apps. The first one encrypts; the one of a rotation only decrypts. */
  readonly totp: readonly [Buffer, ...Buffer[]];
  /** Marks the browsers that somebody has signed in with. */
  readonly knownBrowsers: Buffer;
}

export function deriveKeys({ pepper, previousPepper }: Pick<Services, 'pepper' | 'previousPepper'>): Keys {
  return {
    csrf: keyFor('csrf', pepper),
    totp: [keyFor('totp', pepper), ...(previousPepper ? [keyFor('totp', previousPepper)] : [])],
    knownBrowsers: keyFor('known browsers', pepper),
  };
}

function keyFor(purpose: string, pepper: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', `dashboard ${purpose}`, 32));
}
