import { hkdfSync, type KeyObject } from 'node:crypto';
import type { Services } from './services.ts';

/** One key for each purpose. All replicas derive the same ones from the pepper, without a further secret. */
export interface Keys {
  readonly csrf: Buffer;
  /** Signs what works once, such as a challenge: see web/ticket.ts. */
  readonly tickets: Buffer;
}

export function deriveKeys({ pepper }: Pick<Services, 'pepper'>): Keys {
  return {
    csrf: keyFor('csrf', pepper),
    tickets: keyFor('tickets', pepper),
  };
}

function keyFor(purpose: string, pepper: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', `dashboard ${purpose}`, 32));
}
