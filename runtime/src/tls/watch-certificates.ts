import { createHash } from 'node:crypto';
import {
  parseCertificates,
  readContents,
  type Certificates,
  type TlsContents,
  type TlsFiles,
} from './certificates.ts';
import type { Logger } from '../telemetry/logger.ts';

type Listener<Update> = (update: Update | null) => void;
type CaListener = Listener<Pick<Certificates, 'caCertificate'>>;
type IdentityListener = Listener<Pick<Certificates, 'certificate' | 'privateKey'>>;

/** A gRPC CertificateProvider; new connections use the last certificates. */
export interface WatchedCertificates {
  current(): Certificates;
  addCaCertificateListener(listener: CaListener): void;
  removeCaCertificateListener(listener: CaListener): void;
  addIdentityCertificateListener(listener: IdentityListener): void;
  removeIdentityCertificateListener(listener: IdentityListener): void;
  stop(): void;
}

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly everyMs?: number;
}

/**
 * Polls the files, which also detects the swapped symbolic link of a Kubernetes volume. Unlike gRPC's own watcher, it
 * loads all three files together, once they are valid, match, and are unchanged between two polls.
 * @throws ConfigurationError when the files are unusable at the start
 */
export function watchCertificates(
  files: TlsFiles,
  { log, everyMs = 2_000 }: WatchOptions,
): WatchedCertificates {
  const caListeners = new Set<CaListener>();
  const identityListeners = new Set<IdentityListener>();
  const first = readContents(files);
  let current = parseCertificates(files, first);
  let checked = digest(first);
  let last = checked;

  const poll = () => {
    const contents = readContents(files);
    const seen = digest(contents);
    const isSettled = seen === last;
    last = seen;
    if (!isSettled || seen === checked) return;
    checked = seen;
    try {
      current = parseCertificates(files, contents);
    } catch (error) {
      log.warn({ err: error }, 'new certificates cannot be used; the previous ones stay in use');
      return;
    }
    for (const listener of caListeners) listener(current);
    for (const listener of identityListeners) listener(current);
    log.info({ expiresAt: new Date(current.expiresAtMs) }, 'new certificates are in use');
  };
  const timer = setInterval(poll, everyMs).unref();

  return {
    current: () => current,
    // gRPC can handle the call only after it has added its listener.
    addCaCertificateListener: (listener) => {
      caListeners.add(listener);
      process.nextTick(() => caListeners.has(listener) && listener(current));
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identityListeners.add(listener);
      process.nextTick(() => identityListeners.has(listener) && listener(current));
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
    stop: () => clearInterval(timer),
  };
}

function digest(contents: TlsContents): string {
  const hash = createHash('sha256');
  for (const content of Object.values(contents))
    hash.update(Buffer.isBuffer(content) ? createHash('sha256').update(content).digest() : content.message);
  return hash.digest('hex');
}
