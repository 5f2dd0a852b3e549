import { pollSecrets, readRegularFile, readSecret } from '@jobs-delete/runtime/config/secrets';
import { secret, integer } from '@jobs-delete/runtime/config/variables';
import { z } from 'zod';
import { readTlsFiles, tlsVariables, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';

/** The secret by which a service proves that it is `caller`. */
export interface ServiceToken {
  readonly caller: string;
  readonly token: string;
}

/** The caller of a token without a name. */
export const defaultCaller = 'gateway';

/** `TOKEN` or `CALLER:TOKEN`, separated by commas. A caller may have several, for rotation. */
const serviceTokensForm = z
  .string()
  .transform((text, context): readonly ServiceToken[] => {
    const tokens: ServiceToken[] = [];
    for (const entry of text.split(',')) {
      const [, caller = defaultCaller, token] = form.exec(entry.trim()) ?? [];
      if (token === undefined) {
        const message =
          'must be TOKEN or CALLER:TOKEN, separated by commas; each token has at least 32 printable characters';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      tokens.push({ caller, token });
    }
    if (new Set(tokens.map(({ token }) => token)).size < tokens.length)
      context.addIssue({ code: 'custom', message: 'must not repeat a token' });
    return tokens;
  })
  .default([]);

/** The file is a variable too, because processes read it again when it changes. */
export const serviceTokensVariables = {
  GRPC_SERVICE_TOKENS: secret(
    serviceTokensForm.describe(
      '`TOKEN` or `CALLER:TOKEN`, separated by commas, at least 32 characters each; a token without a name belongs to `gateway`. Required, unless TLS is set, where `GRPC_HOST` is not a loopback address',
    ),
  ),
  GRPC_SERVICE_TOKENS_FILE: z
    .string()
    .optional()
    .describe(
      'path of a file with `GRPC_SERVICE_TOKENS`, which is read again within seconds after it changes',
    ),
};

const form = /^(?:([A-Za-z0-9][A-Za-z0-9._-]*):)?([\x21-\x7e]{32,})$/;

export interface WatchTokensOptions {
  readonly log: {
    info(message: string): void;
    warn(details: object, message: string): void;
  };
  readonly everyMs?: number;
}

export interface WatchedServiceTokens {
  /** The last valid tokens. */
  current(): readonly ServiceToken[];
  stop(): void;
}

/**
 * Polls a file with service tokens. New tokens count once they are valid and unchanged between two polls.
 * @param first the tokens that the start has read
 */
export function watchServiceTokens(
  path: string,
  first: readonly ServiceToken[],
  { log, everyMs = 2_000 }: WatchTokensOptions,
): WatchedServiceTokens {
  let current = first;
  const read = () => {
    const secret = readSecret(path, readRegularFile);
    return [secret, 'value' in secret ? secret.value : secret.problem] as const;
  };
  const stop = pollSecrets(read, undefined, everyMs, (secret) => {
    const parsed = 'value' in secret ? serviceTokensForm.safeParse(secret.value) : undefined;
    if (parsed?.success !== true) {
      const reason = 'problem' in secret ? secret.problem : parsed?.error.issues[0]?.message;
      log.warn({ file: path, reason }, 'new service tokens cannot be used; the previous ones stay in use');
      return;
    }
    if (isSame(parsed.data, current)) return;
    current = parsed.data;
    log.info('new service tokens are in use');
  });
  return { current: () => current, stop };
}

function isSame(one: readonly ServiceToken[], other: readonly ServiceToken[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export interface FollowedServiceToken {
  current(): string | undefined;
  stop(): void;
}

/** Follows the token of a client: the first one, which changes with its file if it has one. */
export function followServiceToken(
  {
    serviceToken,
    serviceTokensFile,
  }: {
    readonly serviceToken: string | undefined;
    readonly serviceTokensFile: string | undefined;
  },
  options: WatchTokensOptions,
): FollowedServiceToken {
  if (serviceTokensFile === undefined || serviceToken === undefined)
    return { current: () => serviceToken, stop: () => undefined };
  const first = [{ caller: defaultCaller, token: serviceToken }];
  const { current, stop } = watchServiceTokens(serviceTokensFile, first, options);
  return { current: () => current()[0]?.token, stop };
}

/** The variables of a client of the deleter service; `readDeleterAccess` combines them. */
export const deleterAccessVariables = {
  DELETER_ADDRESS: z
    .string()
    .regex(/^(?:(?:dns:\/\/\/)?[^\s:/,]+:\d+|ipv4:\d[\d.:,]+)$/, {
      error: 'must be HOST:PORT, dns:///HOST:PORT or ipv4:ADDRESS:PORT,ADDRESS:PORT',
    })
    .default('127.0.0.1:50051')
    .describe('address of the api for a gateway: `HOST:PORT`, or `dns:///HOST:PORT` for several apis'),
  ...serviceTokensVariables,
  ...tlsVariables,
};

export interface DeleterAccess {
  /** One or several addresses of the deleter service, listed or behind a `dns:///` name. Calls are distributed over all. */
  readonly deleterAddress: string;
  /** Authenticates the client to the deleter service. */
  readonly serviceToken: string | undefined;
  /** Read again when it changes. */
  readonly serviceTokensFile: string | undefined;
  /** Certificates for the deleter service; undefined for gRPC without TLS. */
  readonly deleterTls: TlsFiles | undefined;
}

export function readDeleterAccess(values: z.output<z.ZodObject<typeof deleterAccessVariables>>): {
  readonly access: DeleterAccess;
  readonly problems: readonly string[];
} {
  const { files: tls, problems } = readTlsFiles(values);
  const access = {
    deleterAddress: values.DELETER_ADDRESS,
    serviceToken: values.GRPC_SERVICE_TOKENS[0]?.token,
    serviceTokensFile: values.GRPC_SERVICE_TOKENS_FILE,
    deleterTls: tls,
  };
  return { access, problems };
}

/** The limit of a request. The gateway checks it for callers of HTTP, and the api for callers of gRPC. */
export const maxJobsVariables = {
  MAX_JOBS_PER_REQUEST: integer(1, 10_000, 10_000).describe(
    'most jobs in a request; set the same value for gateway and api',
  ),
};
