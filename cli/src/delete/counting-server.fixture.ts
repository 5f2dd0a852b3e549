import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server has accepted, once for each key. */
export interface AcceptedRequest {
  readonly jobIds: readonly string[];
  readonly deletionId: string;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly key: string;
  readonly jobIds: readonly string[];
}

export interface CountingServerOptions {
  readonly exists?: (jobId: string) => boolean;
  /** The jobs that are listed, apart from deleted ones. */
  readonly ownJobs?: () => readonly string[];
  /** The account of the credentials. Absent: the server does not say. */
  readonly account?: { readonly account_id: string; readonly account_name: string | null };
  /** Largest request. */
  readonly maxJobs?: number;
  /** Called before a request has any effect. `drop` closes the connection without an effect, `forbid` refuses the token. */
  readonly beforeRequest?: (request: ReceivedRequest, index: number) => 'drop' | 'forbid' | undefined;
  /** Called when a request has had its effect. `drop` closes the connection without an answer. */
  readonly beforeAnswer?: (request: ReceivedRequest, index: number) => 'drop' | undefined;
  /** Called when the state of a deletion is read. `drop` closes the connection, `forbid` refuses the token. */
  readonly beforeStatus?: () => 'drop' | 'forbid' | undefined;
}

/** Accepts, refuses and replays requests like the service, and remembers what it has accepted. */
export async function startCountingServer(options: CountingServerOptions = {}) {
  const byKey = new Map<string, AcceptedRequest>();
  const deleted = new Set<string>();
  const received: Omit<ReceivedRequest, 'jobIds'>[] = [];

  const answerDeletion: AnswerDeletion = (request, response, jobIds) => {
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      key: String(request.headers['idempotency-key']),
    };
    const index = received.push(one) - 1;
    const before = options.beforeRequest?.({ ...one, jobIds }, index);
    if (before === 'drop') {
      request.socket.destroy();
      return;
    }
    const answer =
      before === 'forbid'
        ? problem(403, 'token_invalid', [])
        : decide(one.path.startsWith('/v1-sandbox/'), one.key, jobIds);
    if (options.beforeAnswer?.({ ...one, jobIds }, index) === 'drop') request.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
  };

  const decide = (isSandbox: boolean, key: string, jobIds: readonly string[]) => {
    const first = isSandbox ? undefined : byKey.get(key);
    if (first !== undefined) {
      const isSame = first.jobIds.join() === jobIds.join();
      return isSame ? acceptedAnswer(first) : problem(400, 'idempotency_key_reused', []);
    }
    if (jobIds.length > (options.maxJobs ?? 10_000)) return problem(400, 'too_many_jobs', []);
    const missing = jobIds.flatMap((id, at) =>
      deleted.has(id) || options.exists?.(id) === false ? [{ id, at }] : [],
    );
    if (missing.length > 0) return problem(404, 'job_not_found', missing.slice(0, 100));
    if (isSandbox) return { status: 200, headers: {}, body: {} };
    const accepted = { jobIds, deletionId: `deletion-${String(byKey.size + 1)}` };
    byKey.set(key, accepted);
    for (const id of jobIds) deleted.add(id);
    return acceptedAnswer(accepted);
  };

  const answerStatus: AnswerStatus = (request, response) => {
    if (request.url?.startsWith('/v1/jobs?') === true) {
      const own = (options.ownJobs?.() ?? []).filter((id) => !deleted.has(id));
      response.end(JSON.stringify({ jobs: own.map((id) => ({ id })), next: null }));
      return;
    }
    if (request.url === '/v1/whoami') {
      const credential = { id: 'an-id', expires_at: null };
      const limits = { max_jobs_per_request: 10_000, max_body_bytes: 4_194_304 };
      const body = { ...options.account, token: credential, secret_key: credential, origin: '', limits };
      response.end(JSON.stringify(body));
      return;
    }
    const before = options.beforeStatus?.();
    if (before === 'drop') {
      request.socket.destroy();
      return;
    }
    const answer = before === 'forbid' ? problem(403, 'token_invalid', []) : completed(request);
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
  };

  const server = createDeletionServer(answerDeletion, answerStatus);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    /** The accepted requests, by their keys. */
    byKey,
    /** Every id that was deleted. None is ever accepted twice. */
    deleted,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type CountingServer = Awaited<ReturnType<typeof startCountingServer>>;

function acceptedAnswer({ deletionId }: AcceptedRequest) {
  return { status: 200, headers: { 'deletion-id': deletionId }, body: {} };
}

function problem(status: number, code: string, jobs: readonly { id: string; at: number }[]) {
  const errors = jobs.map(({ id, at }) => ({
    pointer: `/jobs/job/${String(at)}/id`,
    job_id: id,
    code,
    message: `${code} message`,
  }));
  return {
    status,
    headers: { 'request-id': 'a-request' },
    body: { title: `${code} title`, status, code, errors },
  };
}

type AnswerDeletion = (request: IncomingMessage, response: ServerResponse, jobIds: readonly string[]) => void;
type AnswerStatus = (request: IncomingMessage, response: ServerResponse) => void;

function createDeletionServer(answerDeletion: AnswerDeletion, answerStatus: AnswerStatus): Server {
  return createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.method === 'GET') answerStatus(request, response);
      else answerDeletion(request, response, idsIn(text));
    });
  });
}

function completed(request: IncomingMessage) {
  const deletion_id = /^\/v1\/deletions\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '';
  const at = '2030-01-01T00:00:00.000Z';
  const body = { deletion_id, state: 'completed', jobs: 1, accepted_at: at, completed_at: at };
  return { status: 200, headers: {}, body };
}

function idsIn(text: string): string[] {
  if (text === '') return [];
  if (text.startsWith('<')) return [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id = '']) => id);
  const { jobs } = JSON.parse(text) as { jobs: { job: { id: string }[] } };
  return jobs.job.map(({ id }) => id);
}
