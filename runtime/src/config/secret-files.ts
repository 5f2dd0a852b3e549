import { readFileSync } from 'node:fs';

/** The variables whose value may be in a file instead: `NAME_FILE` is its path. */
export const secretVariables: readonly string[] = [
  'ACCOUNTS_DATABASE_URL',
  'CREDENTIAL_PEPPER',
  'CREDENTIAL_PEPPER_PREVIOUS',
  'DATABASE_URL',
  'EVENT_LOG_URL',
  'GRPC_SERVICE_TOKENS',
  'JOBS_DELETE_SECRET_KEY',
  'JOBS_DELETE_TOKEN',
  'OPENID_CLIENT_SECRET',
];

export type SecretValue = { readonly value: string } | { readonly problem: string };

/** Returns the value of a variable from its file; undefined without a file. A problem never repeats the contents. */
export function readSecretFile(name: string, env: NodeJS.ProcessEnv): SecretValue | undefined {
  const path = secretVariables.includes(name) ? env[`${name}_FILE`] : undefined;
  if (!path) return undefined;
  if (env[name]) return { problem: `${name}_FILE: must not be set together with ${name}` };
  const secret = readSecret(path);
  return 'problem' in secret ? { problem: `${name}_FILE: ${secret.problem}` } : secret;
}

/**
 * Reads a file with one secret, without the line break at its end. A problem does not name the file: its path may be a secret
 * that somebody has taken for the value.
 */
export function readSecret(path: string): SecretValue {
  try {
    const value = readFileSync(path, 'utf8').replace(/\s+$/, '');
    return value === '' ? { problem: 'the file is empty' } : { value };
  } catch (error) {
    return { problem: `cannot read the file (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
}
