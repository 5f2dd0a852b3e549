import { createHash } from 'node:crypto';
import { uuidAt } from '@jobs-delete/runtime/time/clock';

/** Values of the demo history. Each follows from its label, so every start has the same. */

export function hexOf(label: string, length: number): string {
  return createHash('sha256').update(`demo history: ${label}`).digest('hex').slice(0, length);
}

export function uuidOf(atMs: number, label: string): string {
  return uuidAt(atMs, Buffer.from(hexOf(label, 32), 'hex'));
}

/** Returns at least 0 and less than 1. */
export function fractionOf(label: string): number {
  return Number.parseInt(hexOf(label, 12), 16) / 16 ** 12;
}
