import { z } from 'zod';
import { ConfigurationError } from '../startup-error.ts';
import { parseIdentity, readContent, type Identity, type PemFile } from './certificates.ts';
import { watchFiles, type WatchedFiles, type WatchOptions } from './watch-files.ts';

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
type PublicTlsVariable = keyof typeof publicTlsVariables;

/** Paths of PEM files: the certificate of the public port with its intermediates, and its key. */
export type PublicTlsFiles = Readonly<Record<PublicTlsVariable, string>>;

/** Returns undefined when no variable is set. Missing variables and unusable files are problems. */
export function readPublicTls(values: z.output<z.ZodObject<typeof publicTlsVariables>>): {
  readonly publicTls: PublicTlsFiles | undefined;
  readonly problems: readonly string[];
} {
  const { TLS_CERT, TLS_KEY } = values;
  if (TLS_CERT === undefined && TLS_KEY === undefined) return { publicTls: undefined, problems: [] };
  if (TLS_CERT === undefined || TLS_KEY === undefined) {
    const missing = TLS_CERT === undefined ? 'TLS_CERT' : 'TLS_KEY';
    return { publicTls: undefined, problems: [`${missing}: must be set (TLS_CERT, TLS_KEY: both or none)`] };
  }
  const publicTls = { TLS_CERT, TLS_KEY };
  return { publicTls, problems: parse(publicTls, readContents(publicTls)).problems };
}

export interface PublicCertificate extends WatchedFiles<Identity> {
  /** Calls the listener with each new certificate. */
  subscribe(listener: (identity: Identity) => void): void;
}

/** @throws ConfigurationError when the files are unusable at the start */
export function watchPublicCertificate(files: PublicTlsFiles, options: WatchOptions): PublicCertificate {
  const listeners = new Set<(identity: Identity) => void>();
  const parseOrThrow = (contents: Contents) => {
    const { identity, problems } = parse(files, contents);
    if (identity === undefined) throw new ConfigurationError(problems);
    return identity;
  };
  const onChange = (identity: Identity) => {
    for (const listener of listeners) listener(identity);
  };
  const watched = watchFiles({ read: () => readContents(files), parse: parseOrThrow, onChange }, options);
  return { ...watched, subscribe: (listener) => void listeners.add(listener) };
}

type Contents = Readonly<Record<PublicTlsVariable, PemFile['content']>>;

function readContents({ TLS_CERT, TLS_KEY }: PublicTlsFiles): Contents {
  return { TLS_CERT: readContent(TLS_CERT), TLS_KEY: readContent(TLS_KEY) };
}

function parse(files: PublicTlsFiles, contents: Contents) {
  const fileOf = (variable: PublicTlsVariable): PemFile => ({
    variable,
    path: files[variable],
    content: contents[variable],
  });
  return parseIdentity(fileOf('TLS_CERT'), fileOf('TLS_KEY'));
}
