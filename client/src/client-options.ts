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
  /**
   * Sends the credentials over `http://` to another machine, where everybody on the way can read them. Default: false, which
   * allows `http://` to this machine only.
   */
  readonly allowHttp?: boolean;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Called before each attempt of a request, for logs. An error that it throws ends the call. */
  readonly onRequest?: (attempt: Attempt) => void;
  /** Called before the pause that precedes a retry, for logs. An error that it throws ends the call. */
  readonly onRetry?: (retry: Retry) => void;
}

export interface Attempt {
  readonly method: string;
  readonly url: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface Retry extends Attempt {
  /** The attempt that failed. */
  readonly attempt: number;
  /** A ConnectionError or a ProblemError. */
  readonly error: Error;
  readonly pauseMs: number;
}

export type CompleteOptions = Required<ClientOptions>;

/** @throws TypeError naming the option */
export function completeOptions(options: ClientOptions): CompleteOptions {
  const defaults = {
    language: 'en',
    format: 'json',
    sandbox: false,
    clientTechnology: 'TypeScript',
    maxJobsPerRequest: 10_000,
    concurrency: 2,
    requestTimeoutMs: 30_000,
    retryForMs: 300_000,
    allowHttp: false,
    fetch: (...request) => globalThis.fetch(...request),
    onRequest: () => undefined,
    onRetry: () => undefined,
  } satisfies Partial<ClientOptions>;
  const required = ['baseUrl', 'token', 'secretKey', 'origin', 'userAgent'] as const;
  refuseUnknownOptions(options, [...required, ...Object.keys(defaults)]);
  const complete: CompleteOptions = { ...defaults, ...options };
  requireBoolean('sandbox', complete.sandbox);
  requireBoolean('allowHttp', complete.allowHttp);
  for (const name of ['maxJobsPerRequest', 'concurrency', 'requestTimeoutMs'] as const)
    requireAtLeast(1, name, complete[name]);
  requireAtLeast(0, 'retryForMs', complete.retryForMs);
  requireUsableUrl(String(complete.baseUrl), complete.allowHttp);
  for (const name of ['token', 'secretKey', 'origin', 'userAgent', 'language', 'clientTechnology'] as const)
    requireHeaderValue(name, complete[name]);
  for (const name of ['fetch', 'onRequest', 'onRetry'] as const)
    if (typeof complete[name] !== 'function') throw new TypeError(`${name} must be a function`);
  return complete;
}

/** A misspelt `sandbox` must not delete jobs. @throws TypeError */
export function refuseUnknownOptions(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new TypeError(`unknown option ${name}: the options are ${known.join(', ')}`);
}

/** @throws TypeError */
export function requireBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${String(value)}`);
}

/** Errors name the URL, so it must have no password. `fetch` refuses a user and a password anyway, and names them. */
function requireUsableUrl(baseUrl: string, allowHttp: boolean): void {
  const url = /[@?#]/.test(baseUrl) ? undefined : parseUrl(baseUrl);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      'baseUrl must be a URL such as https://jobs.example.com, without user, password and query',
    );
  if (url.protocol === 'http:' && !allowHttp && !isThisMachine(url.hostname))
    throw new TypeError(
      `baseUrl must begin with https://: everybody between here and ${url.hostname} could read the credentials. ` +
        'Set allowHttp to allow that.',
    );
}

/** A browser allows a relative URL too. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text, (globalThis as { location?: { href: string } }).location?.href);
  } catch {
    return undefined;
  }
}

function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** `fetch` refuses other characters in each attempt, and no retry would help. The message never has the value. */
function requireHeaderValue(name: keyof ClientOptions, value: unknown): void {
  if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw new TypeError(`${name} must be a text of printable ASCII characters, without a line break`);
}

/** Refuses NaN, undefined and texts too, which callers without types can pass. */
function requireAtLeast(least: number, name: keyof ClientOptions, value: unknown): void {
  if (typeof value !== 'number' || !(value >= least))
    throw new TypeError(`${name} must be at least ${String(least)}, not ${String(value)}`);
}
