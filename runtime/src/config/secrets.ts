import { readFileSync, statSync } from 'node:fs';
import { oneOf } from './variables.ts';

type SecretValue = { readonly value: string } | { readonly problem: string };

const known = new WeakMap<NodeJS.ProcessEnv, Map<string, SecretValue>>();

/**
 * Returns the value of a secret from its file; undefined without a file. A problem never repeats the contents. Reads a file
 * once for an environment: it may be a pipe.
 */
export function readSecretFile(name: string, env: NodeJS.ProcessEnv): SecretValue | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  if (env[name]) return { problem: `${name}_FILE: must not be set together with ${name}` };
  const read = known.get(env) ?? new Map<string, SecretValue>();
  const secret = read.get(path) ?? readSecret(path);
  known.set(env, read.set(path, secret));
  return 'problem' in secret ? { problem: `${name}_FILE: ${secret.problem}` } : secret;
}

/**
 * Reads a file with one secret, without the line break at its end. A problem does not name the file: its path may be a secret
 * that somebody has taken for the value.
 */
export function readSecret(path: string, read: (path: string) => Buffer = readFileSync): SecretValue {
  try {
    const value = read(path).toString().replace(/\s+$/, '');
    return value === '' ? { problem: 'the file is empty' } : { value };
  } catch (error) {
    return { problem: `cannot read the file (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
}

/**
 * Reads a file that is polled. Refuses a pipe, whose reader stops the process until somebody writes.
 * @throws an error with a code
 */
export function readRegularFile(path: string): Buffer {
  if (statSync(path).isFile()) return readFileSync(path);
  throw Object.assign(new Error('not a regular file'), { code: 'not a regular file' });
}

/**
 * Polls files with secrets, which also detects the swapped symbolic link of a Kubernetes volume. Calls back with a new content
 * once two polls in a row have found it.
 * @param read returns the content of regular files, and a version that differs for every other content
 * @param first the version that is in use; undefined if any content is new
 * @returns a function that ends the polls
 */
export function pollSecrets<Content>(
  read: () => readonly [content: Content, version: string],
  first: string | undefined,
  everyMs: number,
  onChange: (content: Content) => void,
): () => void {
  let [checked, last] = [first, first];
  const timer = setInterval(() => {
    const [content, version] = read();
    const isSettled = version === last;
    last = version;
    if (!isSettled || version === checked) return;
    checked = version;
    onChange(content);
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** The secrets of the Kubernetes overlay for a laptop, which everybody knows, start with this text. */
const trialPrefix = 'for-trying-it-out-only';

export const trialSecretsVariables = {
  TRIAL_SECRETS: oneOf(['refused', 'allowed'], 'refused').describe(
    '`allowed` accepts the secrets of the Kubernetes overlay `local`, which everybody knows',
  ),
};

/** Returns a problem for each variable that has a trial secret, unless those are allowed. */
export function trialSecretProblems(
  { TRIAL_SECRETS: trialSecrets }: { readonly TRIAL_SECRETS: 'refused' | 'allowed' },
  secrets: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  if (trialSecrets === 'allowed') return [];
  return Object.entries(secrets).flatMap(([variable, values = []]) =>
    [values].flat().some((value) => value.startsWith(trialPrefix))
      ? [`${variable}: has a trial secret, which everybody knows; set a secret of your own (${hint})`]
      : [],
  );
}

const hint = 'to try the service out: docker compose up';
