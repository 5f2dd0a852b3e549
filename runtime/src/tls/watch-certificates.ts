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

/** As gRPC has a CertificateProvider; every new connection is made with what it has told last. */
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
 * Reads the files again and again, which sees a change however it is made: a Kubernetes volume swaps a symbolic link two
 * folders up. gRPC's own watcher takes what it finds. This one takes the three files together, once they have been the
 * same twice, agree and are valid; until then the last ones stay.
 * @throws ConfigurationError when they can't be used from the beginning
 */
export function watchCertificates(
  files: TlsFiles,
  { log, everyMs = 2_000 }: WatchOptions,
): WatchedCertificates {
  const caListeners = new Set<CaListener>();
  const identityListeners = new Set<IdentityListener>();
  const first = readContents(files);
  let current = parseCertificates(files, first);
  let judged = digest(first);
  let last = judged;

  const look = () => {
    const contents = readContents(files);
    const seen = digest(contents);
    const isSettled = seen === last;
    last = seen;
    if (!isSettled || seen === judged) return;
    judged = seen;
    try {
      current = parseCertificates(files, contents);
    } catch (error) {
      log.warn({ err: error }, 'new certificates cannot be used; those that were read last stay in use');
      return;
    }
    for (const listener of caListeners) listener(current);
    for (const listener of identityListeners) listener(current);
    log.info({ expiresAt: new Date(current.expiresAtMs) }, 'new certificates are in use');
  };
  const timer = setInterval(look, everyMs).unref();

  return {
    current: () => current,
    // gRPC is ready to be told only once it has added its listener.
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
