import { decodeHeader, type AllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { explainMismatch } from '@jobs-delete/accounts/origins/explain-mismatch';
import { sentence } from '../../messages/sentences.ts';
import { excerpt } from '../answer/echo.ts';
import type { Detail } from '../answer/refusal.ts';
import { absence } from './explain-header.ts';

/**
 * Explains why an Origin is not allowed. Names an allowed domain only if the Origin is close to it: the caller has shown
 * a token and a secret key of the account.
 */
export function explainOrigin(values: string[] | undefined, domains: readonly AllowedDomain[]): Detail {
  const absent = absence('Origin', values);
  if (absent !== undefined) return [absent, sentence('expect_origin')];
  const text = decodeHeader(values?.[0] ?? '');
  const value = excerpt(text);
  const mismatch = explainMismatch(text, domains);
  switch (mismatch.kind) {
    case 'null':
      return [sentence('origin_null')];
    case 'scheme':
    case 'port':
      return [sentence(`origin_${mismatch.kind}`, { value, allowed: mismatch.allowed })];
    case 'apex':
      return [sentence('origin_apex', { host: mismatch.host })];
    case 'subdomain':
      return [sentence('origin_subdomain', { host: mismatch.host, value })];
    case 'path':
    case 'form':
    case 'unknown':
      return [sentence(`origin_${mismatch.kind}`, { value })];
  }
}
