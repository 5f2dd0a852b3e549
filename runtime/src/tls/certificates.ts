import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { readRegularFile } from '../config/secrets.ts';
import { messageOf } from '../fault.ts';
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

/** `readPublicTls` puts them together. */
export const publicTlsVariables = {
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'path of the certificate of the public port with its intermediate ones, in PEM; both or none; the gateway reads changed files within seconds',
    ),
  TLS_KEY: z.string().optional().describe('path of its private key'),
};

type Paths<Variable extends string> = Readonly<Record<Variable, string>>;
type Values<Variable extends string> = Readonly<Partial<Record<Variable, string | undefined>>>;

/** Paths of PEM files: the certificate with its intermediates, its key, and the trusted authorities. */
export type TlsFiles = Paths<keyof typeof tlsVariables>;

/** Paths of the PEM files of the public port: the certificate with its intermediates, and its key. */
export type PublicTlsFiles = Paths<keyof typeof publicTlsVariables>;

/** The validated certificate of a service. */
export interface Identity {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly expiresAtMs: number;
}

export interface Certificates extends Identity {
  readonly caCertificate: Buffer;
}

/** The files are undefined when no variable is set. Missing variables and unusable files are problems. */
export interface ReadFiles<Files> {
  readonly files: Files | undefined;
  readonly problems: readonly string[];
}

export function readTlsFiles(values: Values<keyof TlsFiles>): ReadFiles<TlsFiles> {
  const { GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA } = values;
  return readFiles({ GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA }, 'all or none', parseCertificates);
}

export function readPublicTls({
  TLS_CERT,
  TLS_KEY,
}: Values<keyof PublicTlsFiles>): ReadFiles<PublicTlsFiles> {
  return readFiles({ TLS_CERT, TLS_KEY }, 'both or none', parsePublicCertificate);
}

function readFiles<Variable extends string>(
  values: Values<Variable>,
  rule: string,
  parse: (files: PemFiles<Variable>) => unknown,
): ReadFiles<Paths<Variable>> {
  const variables = Object.keys(values) as Variable[];
  const missing = variables.filter((variable) => values[variable] === undefined);
  if (missing.length === variables.length) return { files: undefined, problems: [] };
  const needed = `${variables.join(', ')}: ${rule}`;
  if (missing.length > 0)
    return { files: undefined, problems: missing.map((variable) => `${variable}: must be set (${needed})`) };
  // None is missing.
  const files = values as Paths<Variable>;
  try {
    parse(readPemFiles(files));
    return { files, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { files, problems: error.problems };
  }
}

/** A file that a variable names. */
interface PemFile {
  readonly variable: string;
  readonly path: string;
  /** Or why it cannot be read. */
  readonly content: Buffer | NodeJS.ErrnoException;
}

export type PemFiles<Variable extends string> = Readonly<Record<Variable, PemFile>>;

/** Reads regular files only: they are read more than once, and polled. */
export function readPemFiles<Variable extends string>(paths: Paths<Variable>): PemFiles<Variable> {
  const files = Object.entries<string>(paths).map(([variable, path]) => [
    variable,
    { variable, path, content: readContent(path) },
  ]);
  // Cast: the same names.
  return Object.fromEntries(files) as PemFiles<Variable>;
}

function readContent(path: string): PemFile['content'] {
  try {
    return readRegularFile(path);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** @throws ConfigurationError naming every unusable file and the reason */
export function parseCertificates({
  GRPC_TLS_CERT,
  GRPC_TLS_KEY,
  GRPC_TLS_CA,
}: PemFiles<keyof TlsFiles>): Certificates {
  const own = parseIdentity(GRPC_TLS_CERT, GRPC_TLS_KEY);
  const problems = [...own.problems];
  const trusted = parsePem(GRPC_TLS_CA, 'certificates', parseChain, problems);
  if (own.identity === undefined || trusted === undefined) throw new ConfigurationError(problems);
  return { ...own.identity, caCertificate: trusted.pem };
}

/** @throws ConfigurationError naming every unusable file and the reason */
export function parsePublicCertificate({ TLS_CERT, TLS_KEY }: PemFiles<keyof PublicTlsFiles>): Identity {
  const { identity, problems } = parseIdentity(TLS_CERT, TLS_KEY);
  if (identity === undefined) throw new ConfigurationError(problems);
  return identity;
}

/** Returns a certificate with its key, unless there are problems. */
function parseIdentity(
  certificate: PemFile,
  privateKey: PemFile,
): { readonly identity: Identity | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const own = parsePem(certificate, 'a certificate', parseChain, problems);
  const key = parsePem(privateKey, 'a private key without a passphrase', createPrivateKey, problems);
  if (own !== undefined) problems.push(...problemsOf(own.parsed[0], certificate, privateKey, key?.parsed));
  if (own === undefined || key === undefined || problems.length > 0) return { identity: undefined, problems };
  try {
    // OpenSSL checks more, such as the key length.
    createSecureContext({ cert: own.pem, key: key.pem });
  } catch (error) {
    problems.push(`${certificate.variable}: ${certificate.path} cannot be used: ${messageOf(error)}`);
    return { identity: undefined, problems };
  }
  const expiresAtMs = Date.parse(own.parsed[0].validTo);
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

/** Returns the certificate and its intermediates. @throws for an incomplete one: a file may be read while it is written */
export function parseChain(pem: Buffer): [X509Certificate, ...X509Certificate[]] {
  const text = pem.toString('latin1');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const [first, ...others] = blocks.map((block) => new X509Certificate(block));
  if (first === undefined || text.split('-----BEGIN CERTIFICATE-----').length - 1 > blocks.length)
    throw new Error('cut off');
  return [first, ...others];
}
