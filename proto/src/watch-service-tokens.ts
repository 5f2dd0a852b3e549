import { readSecret } from '@jobs-delete/runtime/config/secrets';
import { defaultCaller, serviceTokensForm, type ServiceToken } from './service-tokens.ts';

export interface WatchTokensOptions {
  readonly log: {
    info(message: string): void;
    warn(details: object, message: string): void;
  };
  readonly everyMs?: number;
}

export interface WatchedServiceTokens {
  /** The last valid tokens. Another list after each change. */
  current(): readonly ServiceToken[];
  stop(): void;
}

/**
 * Polls a file with service tokens, which also detects the swapped symbolic link of a Kubernetes volume. New tokens count once
 * they are valid and unchanged between two polls.
 * @param first the tokens that the start has read
 */
export function watchServiceTokens(
  path: string,
  first: readonly ServiceToken[],
  { log, everyMs = 2_000 }: WatchTokensOptions,
): WatchedServiceTokens {
  let current = first;
  let checked: string | undefined;
  let last: string | undefined;

  const poll = () => {
    const secret = readSecret(path);
    const text = 'value' in secret ? secret.value : secret.problem;
    const isSettled = text === last;
    last = text;
    if (!isSettled || text === checked) return;
    checked = text;
    const parsed = 'value' in secret ? serviceTokensForm.safeParse(secret.value) : undefined;
    if (parsed?.success !== true) {
      const reason = 'problem' in secret ? secret.problem : parsed?.error.issues[0]?.message;
      log.warn({ file: path, reason }, 'new service tokens cannot be used; the previous ones stay in use');
      return;
    }
    if (isSame(parsed.data, current)) return;
    current = parsed.data;
    log.info('new service tokens are in use');
  };
  const timer = setInterval(poll, everyMs).unref();
  return { current: () => current, stop: () => clearInterval(timer) };
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
