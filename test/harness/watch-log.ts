import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

/**
 * Every line that a service under test logs is read here. A secret must not stand in any of them, and the id of a job
 * not above debug: what has stopped a service asks `expectNothingLeaked`, and so fails the suite.
 */
const secrets = new Set<string>();
const jobIds = new Set<string>();
const leaks: string[] = [];

const debugLevel = 20;

export function keepSecret(...texts: readonly (string | undefined)[]): void {
  // Shorter ones may stand in a line by chance.
  for (const text of texts) if (text !== undefined && text.length >= 8) secrets.add(text);
}

export function keepJobIds(ids: readonly string[]): void {
  // Others could be words of ours.
  for (const id of ids) if (id.length >= 6 && /\d/.test(id) && /[A-Za-z]/.test(id)) jobIds.add(id);
}

/** What a process is given that nobody is to read: service tokens, the pepper, the passwords of its storage. */
export function keepSecretsOf(env: NodeJS.ProcessEnv): void {
  const { GRPC_SERVICE_TOKENS = '', CREDENTIAL_PEPPER, DATABASE_URL = '', EVENT_LOG_URL = '' } = env;
  keepSecret(...GRPC_SERVICE_TOKENS.split(',').map((token) => token.replace(/^.*:/, '')), CREDENTIAL_PEPPER);
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

/** What is written after a line's end is watched when its own end comes. */
export function watchStream(stream: Readable): void {
  createInterface({ input: stream }).on('line', watchLine);
}

/** For the logger of a service in this process. */
export const watchedLog = { write: watchLine };

export function expectNothingLeaked(): void {
  const found = leaks.splice(0);
  if (found.length > 0) throw new Error(`the log tells what it must not:\n${found.slice(0, 10).join('\n')}`);
}

/** Of what is no line of the logger, such as why a start is refused: as that of an error. */
function levelOf(line: string): number {
  try {
    return (JSON.parse(line) as { level?: number }).level ?? 50;
  } catch {
    return 50;
  }
}
