import { createHash } from 'node:crypto';
import { pollSecrets } from '../config/secrets.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  parseCertificates,
  parsePublicCertificate,
  readPemFiles,
  type Certificates,
  type Identity,
  type PemFiles,
  type PublicTlsFiles,
  type TlsFiles,
} from './certificates.ts';

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
}

export interface WatchedFiles<Parsed> {
  current(): Parsed;
  /** Calls the listener with what each change of the files brings. */
  subscribe(listener: (parsed: Parsed) => void): void;
  stop(): void;
}

/** Watches the files of the public port. @throws ConfigurationError when they are unusable at the start */
export function watchPublicCertificate(files: PublicTlsFiles, options: WatchOptions): WatchedFiles<Identity> {
  return watchFiles(files, parsePublicCertificate, options);
}

type CaListener = (update: Pick<Certificates, 'caCertificate'> | null) => void;
type IdentityListener = (update: Pick<Certificates, 'certificate' | 'privateKey'> | null) => void;

/** A gRPC CertificateProvider; new connections use the last certificates. */
export interface WatchedCertificates {
  current(): Certificates;
  addCaCertificateListener(listener: CaListener): void;
  removeCaCertificateListener(listener: CaListener): void;
  addIdentityCertificateListener(listener: IdentityListener): void;
  removeIdentityCertificateListener(listener: IdentityListener): void;
  stop(): void;
}

/**
 * Watches the three files of gRPC. Unlike gRPC's own watcher, it loads them together.
 * @throws ConfigurationError when the files are unusable at the start
 */
export function watchCertificates(files: TlsFiles, options: WatchOptions): WatchedCertificates {
  const { current, subscribe, stop } = watchFiles(files, parseCertificates, options);
  /** Each takes what it needs. */
  const listeners = new Set<(certificates: Certificates) => void>();
  subscribe((certificates) => {
    for (const listener of listeners) listener(certificates);
  });
  const add = (listener: (certificates: Certificates) => void) => {
    listeners.add(listener);
    // gRPC can handle the call only after it has added its listener.
    process.nextTick(() => listeners.has(listener) && listener(current()));
  };
  const remove = (listener: (certificates: Certificates) => void) => void listeners.delete(listener);
  return {
    current,
    addCaCertificateListener: add,
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: add,
    removeIdentityCertificateListener: remove,
    stop,
  };
}

/**
 * Polls files with certificates. Loads all of them together, once they are valid, match, and are unchanged between two polls.
 * @param parse throws a ConfigurationError
 * @throws ConfigurationError when the files are unusable at the start
 */
function watchFiles<Variable extends string, Parsed extends { readonly expiresAtMs: number }>(
  files: Readonly<Record<Variable, string>>,
  parse: (files: PemFiles<Variable>) => Parsed,
  { log, everyMs = 2_000 }: WatchOptions,
): WatchedFiles<Parsed> {
  const listeners: ((parsed: Parsed) => void)[] = [];
  const read = () => {
    const found = readPemFiles(files);
    return [found, digest(found)] as const;
  };
  const [first, version] = read();
  let current = parse(first);
  const stop = pollSecrets(read, version, everyMs, (found) => {
    try {
      current = parse(found);
    } catch (error) {
      log.warn({ err: error }, 'new certificates cannot be used; the previous ones stay in use');
      return;
    }
    for (const listener of listeners) listener(current);
    log.info({ expiresAt: new Date(current.expiresAtMs) }, 'new certificates are in use');
  });
  return { current: () => current, subscribe: (listener) => void listeners.push(listener), stop };
}

function digest(files: PemFiles<string>): string {
  const hash = createHash('sha256');
  for (const { content } of Object.values(files))
    hash.update(Buffer.isBuffer(content) ? createHash('sha256').update(content).digest() : content.message);
  return hash.digest('hex');
}
