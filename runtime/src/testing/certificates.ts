import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import type { TlsFiles } from '../tls/certificates.ts';

/** A certificate and its key, in PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

export interface Validity {
  readonly from?: Date;
  readonly to?: Date;
}

export interface Authority {
  readonly certificate: string;
  /** Issues a certificate for DNS names, URIs and IP addresses. */
  issue(names: readonly string[], validity?: Validity): Issued;
}

const hourMs = 3_600_000;

/** Creates a certificate authority for tests. */
export function createAuthority(commonName: string): Authority {
  const { publicPem, privatePem } = newKey();
  const issuer = forge.pki.privateKeyFromPem(privatePem);
  const sign = (subject: string, keyPem: string, extensions: object[], { from, to }: Validity = {}) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(keyPem);
    certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
    certificate.validity.notBefore = from ?? new Date(Date.now() - hourMs);
    certificate.validity.notAfter = to ?? new Date(Date.now() + hourMs);
    certificate.setSubject([{ name: 'commonName', value: subject }]);
    certificate.setIssuer([{ name: 'commonName', value: commonName }]);
    certificate.setExtensions(extensions);
    certificate.sign(issuer, forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  return {
    certificate: sign(commonName, publicPem, [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ]),
    issue: (names, validity) => {
      const own = newKey();
      const extensions = [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        ...(names.length > 0 ? [{ name: 'subjectAltName', altNames: names.map(altName) }] : []),
      ];
      // A common name, which clients and servers must ignore.
      const certificate = sign('gateway', own.publicPem, extensions, validity);
      return { certificate, key: own.privatePem };
    },
  };
}

function altName(name: string) {
  if (/^[0-9.]+$/.test(name)) return { type: 7, ip: name };
  return { type: name.includes('://') ? 6 : 2, value: name };
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicPem: publicKey, privatePem: privateKey };
}

export interface Secret extends Issued {
  /** The trusted certificates, concatenated. */
  readonly trusted: string;
}

export interface MountedSecret {
  readonly files: TlsFiles;
  swap(secret: Secret): void;
}

/**
 * Mounts a secret like Kubernetes: the files link to a folder through a link, which `swap` replaces atomically
 * (https://kubernetes.io/docs/concepts/configuration/secret/).
 */
export function mountSecret(folder: string, first: Secret): MountedSecret {
  const names = { GRPC_TLS_CERT: 'tls.crt', GRPC_TLS_KEY: 'tls.key', GRPC_TLS_CA: 'ca.crt' };
  let generation = 0;
  const swap = ({ certificate, key, trusted }: Secret) => {
    const data = `..data_${String(++generation)}`;
    mkdirSync(join(folder, data), { recursive: true });
    writeFileSync(join(folder, data, names.GRPC_TLS_CERT), certificate);
    writeFileSync(join(folder, data, names.GRPC_TLS_KEY), key);
    writeFileSync(join(folder, data, names.GRPC_TLS_CA), trusted);
    symlinkSync(data, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  swap(first);
  for (const name of Object.values(names)) symlinkSync(join('..data', name), join(folder, name));
  return {
    files: {
      GRPC_TLS_CERT: join(folder, names.GRPC_TLS_CERT),
      GRPC_TLS_KEY: join(folder, names.GRPC_TLS_KEY),
      GRPC_TLS_CA: join(folder, names.GRPC_TLS_CA),
    },
    swap,
  };
}
