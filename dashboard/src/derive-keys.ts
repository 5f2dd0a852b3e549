import { hkdfSync, type KeyObject } from 'node:crypto';
import type { Services } from './services.ts';

/** One key for each purpose. All replicas derive the same ones from the pepper, without a further secret. */
export interface Keys {
  readonly csrf: Buffer;
  /** Signs what works once, such as a challenge: see web/ticket.ts. */
  readonly tickets: Buffer;
  /** Draws secrets that a form gives again: see web/form-once.tsx. */
  readonly secrets: Buffer;
}

export function deriveKeys({ pepper }: Pick<Services, 'pepper'>): Keys {
  return {
    csrf: keyFor('csrf', pepper),
    tickets: keyFor('tickets', pepper),
    secrets: keyFor('secrets', pepper),
  };
}

function keyFor(purpose: string, pepper: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', `dashboard ${purpose}`, 32));
}
