import { hkdfSync, type KeyObject } from 'node:crypto';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { DeleterCalls } from './deleter/deleter-calls.ts';
import type { WriteLimit } from './web/write-limit.ts';
import type { OpenIdSettings } from './sign-in/openid/openid-settings.ts';

/** The dependencies of the pages. */
export interface Services {
  readonly accounts: Accounts;
  readonly pepper: KeyObject;
  readonly keys: Keys;
  readonly deleter: DeleterCalls;
  /** Undefined: people sign in with passkeys. Otherwise, at this provider only. */
  readonly openId: OpenIdSettings | undefined;
  /** People delete jobs here. The api must allow it to the dashboard's token. */
  readonly deletes: boolean;
  /** The page `/design` exists. */
  readonly design: boolean;
  readonly writes: WriteLimit;
  readonly now: () => number;
  readonly log: Logger;
  /** The address of the dashboard without a final slash, such as `https://dashboard.example.com`. */
  readonly publicUrl: string;
  /** The address of the API without a final slash, for commands that callers paste. */
  readonly apiUrl: string;
  /** Where the dashboard itself reaches the API, in the same form. */
  readonly internalApiUrl: string;
}

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
