export interface ClientOptions {
  /**
   * Address of the gateway, with its base path if it has one, such as `https://jobs.example.com/api`. Without user, password
   * and query.
   */
  readonly baseUrl: string | URL;
  readonly token: string;
  readonly secretKey: string;
  /** One of the account's allowed domains, such as `https://example.com`. A browser sends its own. */
  readonly origin: string;
  /** `name/version` of the calling program. A browser may send its own. */
  readonly userAgent: string;
  /** Language of the server's messages. Default: `en`. */
  readonly language?: 'fr' | 'en' | 'es';
  /** Wire format of the requests. Default: `json`. */
  readonly format?: 'json' | 'xml';
  /** Checks every request without deleting anything. Default: false. */
  readonly sandbox?: boolean;
  /** Value of the X-Client-Lang header. Default: `TypeScript`. */
  readonly clientTechnology?: string;
  /** Largest request. Default: 10,000, the server's default. A server that allows less is found out. */
  readonly maxJobsPerRequest?: number;
  /** Requests in flight at the same time. Default: 2. */
  readonly concurrency?: number;
  /** Longest wait for one answer, in ms. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Longest time for one request and its retries, in ms. Default: 300,000. */
  readonly retryForMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export type CompleteOptions = Required<ClientOptions>;

/** @throws TypeError naming the option */
export function completeOptions(options: ClientOptions): CompleteOptions {
  const complete: CompleteOptions = {
    language: 'en',
    format: 'json',
    sandbox: false,
    clientTechnology: 'TypeScript',
    maxJobsPerRequest: 10_000,
    concurrency: 2,
    requestTimeoutMs: 30_000,
    retryForMs: 300_000,
    fetch: (...request) => globalThis.fetch(...request),
    ...options,
  };
  for (const name of ['maxJobsPerRequest', 'concurrency', 'requestTimeoutMs'] as const)
    requireAtLeast(1, name, complete[name]);
  requireAtLeast(0, 'retryForMs', complete.retryForMs);
  requirePlainUrl(String(complete.baseUrl));
  return complete;
}

/** Errors name the URL. `fetch` refuses a user and a password anyway, and names them. */
function requirePlainUrl(baseUrl: string): void {
  if (/[@?#]/.test(baseUrl) || !isUrl(baseUrl))
    throw new TypeError(
      'baseUrl must be a URL such as https://jobs.example.com, without user, password and query',
    );
}

/** A browser allows a relative URL too. */
function isUrl(text: string): boolean {
  try {
    return new URL(text, (globalThis as { location?: { href: string } }).location?.href).href !== '';
  } catch {
    return false;
  }
}

/** Refuses NaN and undefined too, which callers without types can pass. */
function requireAtLeast(least: number, name: keyof ClientOptions, value: number): void {
  if (!(value >= least))
    throw new TypeError(`${name} must be at least ${String(least)}, not ${String(value)}`);
}
