import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { ConfigurationError } from '../startup-error.ts';

/** `readTlsFiles` puts them together. */
export const tlsVariables = {
  GRPC_TLS_CERT: z
    .string()
    .optional()
    .describe(
      'path of the own certificate with its intermediate ones, in PEM; set all three variables or none',
    ),
  GRPC_TLS_KEY: z.string().optional().describe('path of its private key'),
  GRPC_TLS_CA: z
    .string()
    .optional()
    .describe("path of the certificates of the authorities that issue the other side's certificate"),
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
type TlsContents = Readonly<Record<TlsVariable, Buffer | NodeJS.ErrnoException>>;

export function readContents(files: TlsFiles): TlsContents {
  return {
    GRPC_TLS_CERT: readContent(files.GRPC_TLS_CERT),
    GRPC_TLS_KEY: readContent(files.GRPC_TLS_KEY),
    GRPC_TLS_CA: readContent(files.GRPC_TLS_CA),
  };
}

/** Returns the content of a file, or why it cannot be read. */
export function readContent(path: string): PemFile['content'] {
  try {
    return readFileSync(path);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** @throws ConfigurationError naming every unusable file and the reason */
export function parseCertificates(files: TlsFiles, contents: TlsContents): Certificates {
  const problems: string[] = [];
  const fileOf = (variable: TlsVariable) => ({
    variable,
    path: files[variable],
    content: contents[variable],
  });
  const own = parseIdentity(fileOf('GRPC_TLS_CERT'), fileOf('GRPC_TLS_KEY'));
  const trusted = parsePem(fileOf('GRPC_TLS_CA'), 'certificates', parseChain, problems);
  if (own.identity === undefined || trusted === undefined)
    throw new ConfigurationError([...own.problems, ...problems]);
  return { ...own.identity, caCertificate: trusted.pem };
}

/** A file that a variable names. */
export interface PemFile {
  readonly variable: string;
  readonly path: string;
  /** Or why it cannot be read. */
  readonly content: Buffer | NodeJS.ErrnoException;
}

export type Identity = Omit<Certificates, 'caCertificate'>;

/** Returns a certificate with its key, unless there are problems. */
export function parseIdentity(
  certificate: PemFile,
  privateKey: PemFile,
): { readonly identity: Identity | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const own = parsePem(certificate, 'a certificate', parseChain, problems);
  const key = parsePem(privateKey, 'a private key without a passphrase', createPrivateKey, problems);
  if (own !== undefined) problems.push(...problemsOf(own.parsed, certificate, privateKey, key?.parsed));
  if (own === undefined || key === undefined || problems.length > 0) return { identity: undefined, problems };
  try {
    // OpenSSL checks more, such as the key length.
    createSecureContext({ cert: own.pem, key: key.pem });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`${certificate.variable}: ${certificate.path} cannot be used: ${reason}`);
    return { identity: undefined, problems };
  }
  const expiresAtMs = Date.parse(own.parsed.validTo);
  return { identity: { certificate: own.pem, privateKey: key.pem, expiresAtMs }, problems };
}

function parsePem<Parsed>(
  { variable, path, content }: PemFile,
  kind: string,
  parse: (pem: Buffer) => Parsed,
  problems: string[],
): { readonly pem: Buffer; readonly parsed: Parsed } | undefined {
  try {
    if (Buffer.isBuffer(content)) return { pem: content, parsed: parse(content) };
    problems.push(`${variable}: cannot read ${path} (${content.code ?? content.message})`);
  } catch {
    problems.push(`${variable}: ${path} must hold ${kind} in PEM`);
  }
  return undefined;
}

function problemsOf(
  certificate: X509Certificate,
  { variable, path }: PemFile,
  privateKey: PemFile,
  key: KeyObject | undefined,
): string[] {
  const problems: string[] = [];
  if (key !== undefined && !certificate.checkPrivateKey(key))
    problems.push(`${privateKey.variable}: ${privateKey.path} is not the key of the certificate in ${path}`);
  if (Date.parse(certificate.validTo) <= Date.now())
    problems.push(`${variable}: ${path} has expired: ${certificate.validTo}`);
  if (Date.parse(certificate.validFrom) > Date.now())
    problems.push(`${variable}: ${path} is not valid yet: ${certificate.validFrom}`);
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
