import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { XMLParser } from 'fast-xml-parser';

// Every peer checks the credentials, reads the ids and answers by itself.

export interface StoredCredential {
  readonly account_id: string;
  readonly hash: Uint8Array;
  readonly expires_at?: Date | null;
  readonly revoked_at?: Date | null;
}

export type FindCredential = (
  kind: 'token' | 'secret-key',
  id: string,
) => StoredCredential | null | Promise<StoredCredential | null>;

const pepper = process.env.CREDENTIAL_PEPPER ?? '';

/** Looks up token and secret key at each request, and compares their keyed hashes. Returns the account. */
export async function authenticate(
  headers: IncomingHttpHeaders,
  find: FindCredential,
): Promise<string | undefined> {
  const token = /^Bearer (jdt_([0-9a-f]{24})_[0-9a-f]{64})$/.exec(headers.authorization ?? '');
  const secretKey = /^(jds_([0-9a-f]{24})_[0-9a-f]{64})$/.exec(String(headers.usersecretkey));
  if (token === null || secretKey === null) return undefined;
  const [storedToken, storedKey] = await Promise.all([
    find('token', token[2] ?? ''),
    find('secret-key', secretKey[2] ?? ''),
  ]);
  if (!isGood(token[1] ?? '', storedToken) || !isGood(secretKey[1] ?? '', storedKey)) return undefined;
  return storedToken.account_id === storedKey.account_id ? storedToken.account_id : undefined;
}

function isGood(text: string, stored: StoredCredential | null): stored is StoredCredential {
  if (stored === null || stored.revoked_at != null) return false;
  if (stored.expires_at != null && stored.expires_at.getTime() <= Date.now()) return false;
  return timingSafeEqual(createHmac('sha256', pepper).update(text).digest(), stored.hash);
}

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'job' });

export function parseXml(text: string): unknown {
  return parser.parse(text);
}

/** Returns the ids of `{"jobs": {"job": [{"id": …}, …]}}`, or undefined if one is missing, malformed or repeated. */
export function readIds(body: unknown): string[] | undefined {
  const list = (body as { jobs?: { job?: unknown } } | undefined)?.jobs?.job;
  if (!Array.isArray(list) || list.length === 0 || list.length > 10_000) return undefined;
  const ids = list.map((entry) => (entry as { id?: unknown }).id);
  const areIds = ids.every((id) => typeof id === 'string' && /^[A-Za-z0-9]{4,128}$/.test(id));
  return areIds && new Set(ids).size === ids.length ? (ids as string[]) : undefined;
}

/** Returns the same response as jobs-delete: one result per job. */
export function acceptedAnswer(ids: readonly string[]) {
  return {
    status: 'The jobs are deleted.',
    processed_jobs: ids.length,
    results: ids.map((id) => ({ job_id: id, status: 'success', message: `Job ${id} is deleted.` })),
  };
}

/** Prints the port. The bench reads it from the log. */
export function sayListening(port: number): void {
  process.stdout.write(`listening on ${String(port)}\n`);
}
