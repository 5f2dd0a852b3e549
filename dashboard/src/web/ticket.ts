import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Visit } from './route.ts';

/** The purpose and the holder of a ticket. A ticket of one holder works for no other. */
export interface TicketPurpose {
  readonly purpose: 'form' | 'passkey' | 'openid';
  readonly holder: string;
}

const nonceBytes = 16;
const expiryBytes = 6;

/**
 * Returns a signed random text that works once, until it expires. Nothing is stored before it is used: a page that is only
 * looked at, and a visitor who has not proven anything, write nothing.
 */
export function issueTicket(key: Buffer, purpose: TicketPurpose, expiresAtMs: number): string {
  const expiry = Buffer.alloc(expiryBytes);
  expiry.writeUIntBE(expiresAtMs, 0, expiryBytes);
  const body = Buffer.concat([randomBytes(nonceBytes), expiry]);
  return Buffer.concat([body, macOf(key, purpose, body)]).toString('base64url');
}

/** Returns when the ticket expires; undefined for one that is forged, foreign or expired. */
export function checkTicket(
  key: Buffer,
  purpose: TicketPurpose,
  ticket: string,
  nowMs: number,
): number | undefined {
  const bytes = Buffer.from(ticket, 'base64url');
  const body = bytes.subarray(0, nonceBytes + expiryBytes);
  const mac = bytes.subarray(nonceBytes + expiryBytes);
  const expected = macOf(key, purpose, body);
  if (bytes.toString('base64url') !== ticket || mac.length !== expected.length) return undefined;
  if (!timingSafeEqual(mac, expected)) return undefined;
  const expiresAtMs = body.readUIntBE(nonceBytes, expiryBytes);
  return nowMs < expiresAtMs ? expiresAtMs : undefined;
}

/** A used ticket is remembered for longer than it is valid: the clocks of replicas and database differ. */
const clockSkewMs = 3_600_000;

/** Resolves to true for exactly one of several uses of a ticket with the same values. */
export async function useTicket(
  accounts: Pick<Accounts, 'useOnce'>,
  key: Buffer,
  purpose: TicketPurpose,
  ticket: string,
  nowMs: number,
  values: readonly string[] = [],
): Promise<boolean> {
  const expiresAtMs = checkTicket(key, purpose, ticket, nowMs);
  if (expiresAtMs === undefined) return false;
  return accounts.useOnce(hashSecret([ticket, ...values].join(' ')), expiresAtMs + clockSkewMs);
}

/** Identifies a browser in what belongs to it. */
export function browserOf({ browserSecret }: Pick<Visit, 'browserSecret'>): string {
  return createHash('sha256').update(browserSecret).digest('base64url');
}

function macOf(key: Buffer, { purpose, holder }: TicketPurpose, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${purpose} ${holder} `).update(body).digest();
}
