import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { ConfigurationError } from '../startup-error.ts';

/** `readTlsFiles` puts them together. */
export const tlsVariables = {
  GRPC_TLS_CERT: z.string().optional(),
  GRPC_TLS_KEY: z.string().optional(),
  GRPC_TLS_CA: z.string().optional(),
};
type TlsVariable = keyof typeof tlsVariables;
const variables = Object.keys(tlsVariables) as TlsVariable[];

/** Paths of PEM files: the certificate with its intermediates, its key, and the trusted authorities. */
export type TlsFiles = Readonly<Record<TlsVariable, string>>;

/** The validated contents of the files. */
export interface Certificates {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
  /** When the service's own certificate expires. */
  readonly expiresAtMs: number;
}

/** Returns undefined when no variable is set. Missing variables and unusable files are problems. */
export function readTlsFiles(values: z.output<z.ZodObject<typeof tlsVariables>>): {
  readonly tls: TlsFiles | undefined;
  readonly problems: readonly string[];
} {
  const { GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA } = values;
  const missing = variables.filter((variable) => values[variable] === undefined);
  if (missing.length === variables.length) return { tls: undefined, problems: [] };
  if (GRPC_TLS_CERT === undefined || GRPC_TLS_KEY === undefined || GRPC_TLS_CA === undefined) {
    const all = `${variables.join(', ')}: all or none`;
    return { tls: undefined, problems: missing.map((variable) => `${variable}: must be set (${all})`) };
  }
  const tls = { GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA };
  try {
    parseCertificates(tls, readContents(tls));
    return { tls, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { tls, problems: error.problems };
  }
}

/** The contents of each file, or why it cannot be read. */
export type TlsContents = Readonly<Record<TlsVariable, Buffer | NodeJS.ErrnoException>>;

export function readContents(files: TlsFiles): TlsContents {
  const read = (path: string) => {
    try {
      return readFileSync(path);
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
  };
  return {
    GRPC_TLS_CERT: read(files.GRPC_TLS_CERT),
    GRPC_TLS_KEY: read(files.GRPC_TLS_KEY),
    GRPC_TLS_CA: read(files.GRPC_TLS_CA),
  };
}

/** @throws ConfigurationError naming every unusable file and the reason */
export function parseCertificates(files: TlsFiles, contents: TlsContents): Certificates {
  const problems: string[] = [];
  const parse = <Parsed>(variable: TlsVariable, kind: string, parsePem: (pem: Buffer) => Parsed) => {
    const pem = contents[variable];
    const path = files[variable];
    try {
      if (Buffer.isBuffer(pem)) return { pem, parsed: parsePem(pem) };
      problems.push(`${variable}: cannot read ${path} (${pem.code ?? pem.message})`);
    } catch {
      problems.push(`${variable}: ${path} must hold ${kind} in PEM`);
    }
    return undefined;
  };
  const own = parse('GRPC_TLS_CERT', 'a certificate', parseChain);
  const key = parse('GRPC_TLS_KEY', 'a private key without a passphrase', createPrivateKey);
  const trusted = parse('GRPC_TLS_CA', 'certificates', parseChain);
  if (own !== undefined) problems.push(...problemsOf(own.parsed, files, key?.parsed));
  if (own === undefined || key === undefined || trusted === undefined || problems.length > 0)
    throw new ConfigurationError(problems);

  const certificates = { certificate: own.pem, privateKey: key.pem, caCertificate: trusted.pem };
  try {
    // OpenSSL checks more, such as the key length.
    createSecureContext({ cert: own.pem, key: key.pem, ca: trusted.pem });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`GRPC_TLS_CERT: ${files.GRPC_TLS_CERT} cannot be used: ${reason}`]);
  }
  return { ...certificates, expiresAtMs: Date.parse(own.parsed.validTo) };
}

function problemsOf(certificate: X509Certificate, files: TlsFiles, key: KeyObject | undefined): string[] {
  const problems: string[] = [];
  const { GRPC_TLS_CERT: path } = files;
  if (key !== undefined && !certificate.checkPrivateKey(key))
    problems.push(`GRPC_TLS_KEY: ${files.GRPC_TLS_KEY} is not the key of the certificate in ${path}`);
  if (Date.parse(certificate.validTo) <= Date.now())
    problems.push(`GRPC_TLS_CERT: ${path} has expired: ${certificate.validTo}`);
  if (Date.parse(certificate.validFrom) > Date.now())
    problems.push(`GRPC_TLS_CERT: ${path} is not valid yet: ${certificate.validFrom}`);
  return problems;
}

/** Returns the first certificate. @throws for an incomplete one: a file may be read while it is written */
function parseChain(pem: Buffer): X509Certificate {
  const text = pem.toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const [first] = blocks.map((block) => new X509Certificate(block));
  if (first === undefined || text.split('-----BEGIN CERTIFICATE-----').length - 1 > blocks.length)
    throw new Error('cut off');
  return first;
}
