import { parseCertificates, readContents, type Certificates, type TlsFiles } from './certificates.ts';
import { watchFiles, type WatchOptions } from './watch-files.ts';

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

/**
 * Watches the three files of gRPC. Unlike gRPC's own watcher, it loads them together.
 * @throws ConfigurationError when the files are unusable at the start
 */
export function watchCertificates(files: TlsFiles, options: WatchOptions): WatchedCertificates {
  const caListeners = new Set<CaListener>();
  const identityListeners = new Set<IdentityListener>();
  const { current, stop } = watchFiles(
    {
      read: () => readContents(files),
      parse: (contents) => parseCertificates(files, contents),
      onChange: (certificates) => {
        for (const listener of caListeners) listener(certificates);
        for (const listener of identityListeners) listener(certificates);
      },
    },
    options,
  );

  return {
    current,
    // gRPC can handle the call only after it has added its listener.
    addCaCertificateListener: (listener) => {
      caListeners.add(listener);
      process.nextTick(() => caListeners.has(listener) && listener(current()));
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener: (listener) => {
      identityListeners.add(listener);
      process.nextTick(() => identityListeners.has(listener) && listener(current()));
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
    stop,
  };
}
