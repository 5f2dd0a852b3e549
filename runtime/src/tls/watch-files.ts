import { createHash } from 'node:crypto';
import type { Logger } from '../telemetry/logger.ts';
import type { PemFile } from './certificates.ts';

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
}

export interface WatchedFiles<Parsed> {
  current(): Parsed;
  stop(): void;
}

export interface FilesToWatch<Contents, Parsed> {
  readonly read: () => Contents;
  /** @throws ConfigurationError */
  readonly parse: (contents: Contents) => Parsed;
  readonly onChange: (parsed: Parsed) => void;
}

/**
 * Polls files with certificates, which also detects the swapped symbolic link of a Kubernetes volume. Loads all of them
 * together, once they are valid, match, and are unchanged between two polls.
 * @throws ConfigurationError when the files are unusable at the start
 */
export function watchFiles<
  Contents extends Readonly<Record<string, PemFile['content']>>,
  Parsed extends { readonly expiresAtMs: number },
>(
  { read, parse, onChange }: FilesToWatch<Contents, Parsed>,
  { log, everyMs = 2_000 }: WatchOptions,
): WatchedFiles<Parsed> {
  const first = read();
  let current = parse(first);
  let checked = digest(first);
  let last = checked;

  const poll = () => {
    const contents = read();
    const seen = digest(contents);
    const isSettled = seen === last;
    last = seen;
    if (!isSettled || seen === checked) return;
    checked = seen;
    try {
      current = parse(contents);
    } catch (error) {
      log.warn({ err: error }, 'new certificates cannot be used; the previous ones stay in use');
      return;
    }
    onChange(current);
    log.info({ expiresAt: new Date(current.expiresAtMs) }, 'new certificates are in use');
  };
  const timer = setInterval(poll, everyMs).unref();
  return { current: () => current, stop: () => clearInterval(timer) };
}

function digest(contents: Readonly<Record<string, PemFile['content']>>): string {
  const hash = createHash('sha256');
  for (const content of Object.values(contents))
    hash.update(Buffer.isBuffer(content) ? createHash('sha256').update(content).digest() : content.message);
  return hash.digest('hex');
}
