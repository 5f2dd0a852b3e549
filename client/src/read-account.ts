import type { CompleteOptions } from './client-options.ts';
import { askFor } from './send-with-retries.ts';

/** The account of the credentials, and what the service allows. */
export interface WhoAmI {
  readonly accountId: string;
  /** Undefined if the account has no name. */
  readonly accountName: string | undefined;
  readonly token: CredentialInfo;
  readonly secretKey: CredentialInfo;
  /** The origin of the request, which the account allows. */
  readonly origin: string;
  readonly limits: { readonly maxJobsPerRequest: number; readonly maxBodyBytes: number };
}

/** A credential without its secret. */
export interface CredentialInfo {
  readonly id: string;
  /** Undefined if it does not expire. */
  readonly expiresAt: Date | undefined;
}

interface CredentialBody {
  readonly id: string;
  readonly expires_at: string | null;
}

interface WhoAmIBody {
  readonly account_id: string;
  readonly account_name: string | null;
  readonly token: CredentialBody;
  readonly secret_key: CredentialBody;
  readonly origin: string;
  readonly limits: { readonly max_jobs_per_request: number; readonly max_body_bytes: number };
}

/** @throws ProblemError, ConnectionError, or the reason of `signal` */
export function readWhoAmI(options: CompleteOptions, signal: AbortSignal | undefined): Promise<WhoAmI> {
  return askFor(options, '/v1/whoami', 'GET', readWhoAmIBody, signal);
}

function readWhoAmIBody(body: unknown): WhoAmI | undefined {
  // askFor takes an error here for an answer of something else.
  const { account_id, account_name, token, secret_key, origin, limits } = body as WhoAmIBody;
  if (typeof account_id !== 'string') return undefined;
  return {
    accountId: account_id,
    accountName: account_name ?? undefined,
    token: credentialOf(token),
    secretKey: credentialOf(secret_key),
    origin,
    limits: { maxJobsPerRequest: limits.max_jobs_per_request, maxBodyBytes: limits.max_body_bytes },
  };
}

function credentialOf({ id, expires_at }: CredentialBody): CredentialInfo {
  return { id, expiresAt: expires_at === null ? undefined : new Date(expires_at) };
}

export interface ListJobsOptions {
  /** Only ids after this one, which need not exist. Default: all. */
  readonly after?: string;
  /** Jobs that one request reads, at most 10,000. Default: 10,000. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

interface Page {
  readonly jobs: readonly { readonly id: string }[];
  readonly next: string | null;
}

/** Reads the next page when the ids of the one before are used up. @throws as `sendWithRetries`; ProblemError */
export async function* listJobs(
  options: CompleteOptions,
  { after, pageSize = 10_000, signal }: ListJobsOptions,
): AsyncGenerator<string, void> {
  for (let next: string | null | undefined = after; next !== null;) {
    const query = `limit=${String(pageSize)}${next === undefined ? '' : `&after=${encodeURIComponent(next)}`}`;
    // A proxy or another server answers 200 too. An empty list from it would look like an account without jobs.
    const page: Page = await askFor(options, `/v1/jobs?${query}`, 'GET', readPage, signal);
    for (const { id } of page.jobs) yield id;
    ({ next } = page);
  }
}

function readPage(body: unknown): Page | undefined {
  // Checked below.
  const page = body as Partial<Page> | null;
  const isPage =
    Array.isArray(page?.jobs) &&
    page.jobs.every(({ id }: Partial<Page['jobs'][number]>) => typeof id === 'string') &&
    (page.next === null || typeof page.next === 'string');
  return isPage ? (page as Page) : undefined;
}
