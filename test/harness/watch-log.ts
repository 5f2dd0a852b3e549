import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

/**
 * Checks every log line of the services under test: no line may contain a secret, and only debug
 * lines may contain job ids. Call `expectNothingLeaked` after stopping a service. It fails the suite.
 */
const secrets = new Set<string>();
const jobIds = new Set<string>();
const leaks: string[] = [];

const debugLevel = 20;

export function keepSecret(...texts: readonly (string | undefined)[]): void {
  // Shorter secrets may occur in a line by chance.
  for (const text of texts) if (text !== undefined && text.length >= 8) secrets.add(text);
}

export function keepJobIds(ids: readonly string[]): void {
  // Other ids could be common words.
  for (const id of ids) if (id.length >= 6 && /\d/.test(id) && /[A-Za-z]/.test(id)) jobIds.add(id);
}

/** Watches for the secrets in a process's environment: service tokens, pepper, storage passwords. */
export function keepSecretsOf(env: NodeJS.ProcessEnv): void {
  const { GRPC_SERVICE_TOKENS = '', DATABASE_URL = '', EVENT_LOG_URL = '' } = env;
  keepSecret(env.CREDENTIAL_PEPPER, env.CREDENTIAL_PEPPER_PREVIOUS);
  keepSecret(...GRPC_SERVICE_TOKENS.split(',').map((token) => token.replace(/^.*:/, '')));
  for (const url of [DATABASE_URL, EVENT_LOG_URL]) keepSecret(/\/\/[^:@/]+:([^@/]+)@/.exec(url)?.[1]);
}

export function watchLine(line: string): void {
  for (const secret of secrets) {
    if (line.includes(secret)) leaks.push(`a secret: ${line.replaceAll(secret, '…')}`);
  }
  if (levelOf(line) <= debugLevel) return;
  const id = line.match(/[A-Za-z0-9]+/g)?.find((word) => jobIds.has(word));
  if (id !== undefined) leaks.push(`the id of a job: ${line}`);
}

/** Checks each line when it is complete. */
export function watchStream(stream: Readable): void {
  createInterface({ input: stream }).on('line', watchLine);
}

/** Checks the log of a service in this process. */
export const watchedLog = { write: watchLine };

export function expectNothingLeaked(): void {
  const found = leaks.splice(0);
  if (found.length > 0)
    throw new Error(`the log contains secrets or job ids:\n${found.slice(0, 10).join('\n')}`);
}

/** Returns the level of a line. Lines without JSON count as errors, such as a refused start. */
function levelOf(line: string): number {
  try {
    return (JSON.parse(line) as { level?: number }).level ?? 50;
  } catch {
    return 50;
  }
}
