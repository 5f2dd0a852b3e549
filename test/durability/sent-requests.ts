import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'node:http';
import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import {
  callerHeaders,
  jsonBody,
  jsonPath,
  send,
  xmlBody,
  xmlPath,
  type HttpAnswer,
} from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';
import { currentTest } from '../harness/until.ts';
import { monotonicNs, type Span } from '../linearizability/history.ts';

/** A request of a client and all its answers, for the audit. */
export interface SentRequest {
  readonly account: TestAccount;
  readonly format: 'json' | 'xml';
  readonly jobIds: readonly string[];
  readonly key: string | undefined;
  readonly attempts: Attempt[];
}

export interface Attempt {
  readonly span: Span;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** Undefined when the connection broke: the client can't know the outcome. */
  readonly answer: HttpAnswer | undefined;
}

/** Returns the definite answer. Undefined when the last attempt was lost or a 503. */
export function finalAnswer({ attempts }: SentRequest): HttpAnswer | undefined {
  const answer = attempts.at(-1)?.answer;
  return answer?.status === 503 ? undefined : answer;
}

export function deletionIdOf(answer: HttpAnswer): string | undefined {
  const id = answer.headers['deletion-id'];
  return typeof id === 'string' ? id : undefined;
}

/** Sends the request once, and records the attempt. */
export async function attempt(
  request: SentRequest,
  baseUrl: string,
  agent?: Agent,
): Promise<HttpAnswer | undefined> {
  const { account, format, jobIds, key, attempts } = request;
  const headers = { ...callerHeaders(account, format), ...(key !== undefined && { 'Idempotency-Key': key }) };
  const call = {
    path: format === 'json' ? jsonPath : xmlPath,
    headers,
    body: format === 'json' ? jsonBody(jobIds) : xmlBody(jobIds),
    ...(agent && { agent }),
  };
  const { answer, ...times } = await timed(() => send(baseUrl, call).catch(() => undefined));
  attempts.push({ answer, ...times });
  return answer;
}

/** Calls, and notes the times. */
export async function timed<Answer>(call: () => Promise<Answer>) {
  const [sentAtMs, begun] = [Date.now(), monotonicNs()];
  const answer = await call();
  return { answer, sentAtMs, answeredAtMs: Date.now(), span: { call: begun, return: monotonicNs() } };
}

/** Jobs of one account, and the clients' position in them. */
export interface Pool {
  readonly account: TestAccount;
  readonly jobIds: readonly string[];
  /** Jobs of another account. They must never be accepted. */
  readonly foreignIds: readonly string[];
  next: number;
}

/** Current address of the service, across its restarts. */
export interface Whereabouts {
  /** Resolves when the service is up. */
  baseUrl(): Promise<string>;
  /** Returns true while clients start new requests. Requests with a key are always completed. */
  goesOn(): boolean;
}

/** Draws the next request of a client. The name is unique among all clients. */
export type DrawRequest = (name: string, pool: Pool, random: SeededRandom) => SentRequest;
export type Client = (
  name: string,
  pool: Pool,
  random: SeededRandom,
  service: Whereabouts,
  sent: SentRequest[],
) => Promise<void>;

export const runClient: Client = (...client) => runWith({ draw: drawRequest }, ...client);
export const runBulkClient: Client = (...client) => runWith({ draw: drawBulkRequest }, ...client);

export interface Habits {
  readonly draw: DrawRequest;
  /** Called after the last answer to each request. */
  readonly after?: (request: SentRequest) => Promise<void>;
}

/** Sends one request after another. Repeats a request with a key until its outcome is known. */
export async function runWith(
  { draw, after }: Habits,
  ...[name, pool, random, service, sent]: Parameters<Client>
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let count = 0; service.goesOn() && pool.next < pool.jobIds.length; count++) {
      const request = draw(`${name}${String(count)}`, pool, random);
      sent.push(request);
      while (!currentTest.isOver) {
        const answer = await attempt(request, await service.baseUrl(), agent);
        if (request.key === undefined || (answer !== undefined && answer.status !== 503)) break;
        await delay(5);
      }
      await after?.(request);
    }
  } finally {
    agent.destroy();
  }
}

/** Draws a request, mostly small, in either format. Some overlap with other requests, some contain a foreign id. */
export function drawRequest(name: string, pool: Pool, random: SeededRandom): SentRequest {
  const largest = [5, 5, 5, 5, 5, 5, 50, 50, 50, 200][random.below(10)] ?? 1;
  const size = 1 + random.below(largest);
  const jobIds = new Set(pool.jobIds.slice(pool.next, pool.next + size));
  pool.next += size;
  const chance = random.fraction();
  if (chance < 0.15) {
    const recent = Math.max(0, pool.next - 200);
    jobIds.add(pool.jobIds[recent + random.below(pool.next - recent)] ?? 'unknown0');
  } else if (chance < 0.2) {
    jobIds.add(pool.foreignIds[random.below(pool.foreignIds.length)] ?? 'unknown0');
  } else if (chance < 0.25) {
    jobIds.add(`unknown${name}`);
  }
  return {
    account: pool.account,
    format: random.fraction() < 0.5 ? 'json' : 'xml',
    jobIds: [...jobIds].slice(0, 200),
    key: random.fraction() < 0.5 ? `key-${name}` : undefined,
    attempts: [],
  };
}

/** Draws 200 to 2,500 jobs, with a key. Large deletions take several events. */
function drawBulkRequest(name: string, pool: Pool, random: SeededRandom): SentRequest {
  const size = random.fraction() < 0.7 ? 200 + random.below(101) : 1_001 + random.below(1_500);
  const jobIds = pool.jobIds.slice(pool.next, pool.next + size);
  pool.next += size;
  const format = random.fraction() < 0.5 ? 'json' : 'xml';
  return { account: pool.account, format, jobIds, key: `bulk-${name}`, attempts: [] };
}
