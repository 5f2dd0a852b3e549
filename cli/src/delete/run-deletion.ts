import {
  IncompleteError,
  JobsDeleteClient,
  type Journal,
  type JournaledRequest,
  type RequestOutcome,
  type UnfinishedRequest,
} from '@jobs-delete/client';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../refusal.ts';
import { readVersion } from '../version.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { InputChangedError, validIds } from './id-input.ts';
import type { JournalFile } from './journal.ts';
import type { JournalLine } from './journal-line.ts';
import { endOf, type Segment } from './journal-state.ts';
import { startDeletionProgress } from './show-progress.ts';

/** The user interrupted the run. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

type ClientOrder = Pick<
  DeletionOrder,
  'caller' | 'allowHttp' | 'requestFormat' | 'sandbox' | 'concurrency' | 'jobsPerRequest' | 'retryForMs'
>;

/** @throws Refusal for options that the client refuses */
export function createClient(io: Io, { caller, ...order }: ClientOrder): JobsDeleteClient {
  try {
    const { baseUrl, token, secretKey, origin } = caller;
    return new JobsDeleteClient({
      ...{ baseUrl, token, secretKey, origin },
      allowHttp: order.allowHttp,
      userAgent: `jobs-delete-cli/${readVersion()}`,
      format: order.requestFormat,
      sandbox: order.sandbox,
      concurrency: order.concurrency,
      maxJobsPerRequest: order.jobsPerRequest,
      retryForMs: order.retryForMs,
      fetch: announcingFetch(io, caller.baseUrl),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw wrongUsage(
      error.message.replace('Set allowHttp', 'Add --allow-http').replace('baseUrl', 'The address'),
    );
  }
}

/** The client sends a request again after these, without a word. */
const transientStatuses: readonly number[] = [429, 502, 503, 504];

/** Returns a `fetch` that says on stderr when the service goes away, and when it is back. */
function announcingFetch({ stderr }: Pick<Io, 'stderr'>, baseUrl: string): typeof fetch {
  const service = printable(baseUrl);
  let isAway = false;
  const note = (fault: string | undefined) => {
    if (isAway === (fault !== undefined)) return;
    isAway = fault !== undefined;
    // A progress bar may be in the line.
    const start = stderr.isTTY ? '\r\x1b[K' : '';
    stderr.write(
      `${start}${fault === undefined ? `${service} answers again.` : `${fault}. Trying again.`}\n`,
    );
  };
  return async (...request) => {
    try {
      const response = await fetch(...request);
      const { status } = response;
      note(transientStatuses.includes(status) ? `${service} answers ${String(status)}` : undefined);
      return response;
    } catch (error) {
      if (!(request[1]?.signal?.reason instanceof Interruption)) note(`No answer from ${service}`);
      throw error;
    }
  };
}

/**
 * Sends the requests that have no outcome in the journal, then those for the rest of the ids.
 * @returns why it ended early, or undefined
 */
export async function sendRequests(
  io: Io,
  order: DeletionOrder,
  journal: JournalFile,
  signal: AbortSignal,
): Promise<{ readonly stoppedBy: unknown } | undefined> {
  const { run, state } = journal;
  const { acceptedJobs, refusedJobs, segments } = state();
  const before = acceptedJobs + refusedJobs;
  const ids = validIds(order.input, { jobCount: run.job_count, digest: run.digest });
  const progress = startDeletionProgress(io, order.sandbox, run.job_count, before);
  try {
    await createClient(io, order).deleteJobs(ids, {
      signal,
      onRefusal: order.continueOnError ? 'split' : 'stop',
      onProgress: (made) => progress.update(before + made.acceptedJobs + made.refusedJobs),
      journal: hooksOf(io, order, journal, segments, ids),
    });
    return undefined;
  } catch (error) {
    if (error instanceof IncompleteError) return { stoppedBy: error.cause };
    throw error;
  } finally {
    progress.stop();
    await ids.return();
  }
}

function hooksOf(
  { now }: Io,
  { resendExpired }: DeletionOrder,
  journal: JournalFile,
  segments: readonly Segment[],
  ids: AsyncGenerator<string, void>,
): Journal {
  const recorded = new Set(
    segments.flatMap((segment) => (segment.state === 'sent' ? [segment.request.key] : [])),
  );
  return {
    unfinished: unfinishedRequests(segments, ids, resendExpired),
    nextPosition: endOf(segments),
    onRequest: ({ idempotencyKey: key, positions }) => {
      // The time of the first attempt counts: the key expires after it.
      if (recorded.has(key)) return;
      const from = positions[0] ?? 0;
      const to = (positions.at(-1) ?? 0) + 1;
      journal.append({ kind: 'sent', key, from, to, at: new Date(now()).toISOString() });
    },
    onOutcome: (request, outcome) => journal.append(outcomeLine(request, outcome)),
  };
}

/** Reads the ids that earlier runs have read. Yields those without a final outcome, request by request. */
async function* unfinishedRequests(
  segments: readonly Segment[],
  ids: AsyncIterator<string, void>,
  maySplit: boolean,
): AsyncGenerator<UnfinishedRequest> {
  for (const segment of segments) {
    const jobIds: string[] = [];
    const positions: number[] = [];
    const refused = new Set(segment.state === 'done' ? [] : segment.refused);
    for (let position = segment.from; position < segment.to; position++) {
      const next = await ids.next();
      if (next.done === true) throw new InputChangedError();
      if (segment.state === 'done' || refused.has(position)) continue;
      jobIds.push(next.value);
      positions.push(position);
    }
    if (jobIds.length === 0) continue;
    const key = segment.state === 'sent' ? { idempotencyKey: segment.request.key } : {};
    yield { ...key, jobIds, positions, maySplit };
  }
}

function outcomeLine(
  { idempotencyKey: key, jobIds }: JournaledRequest,
  outcome: RequestOutcome,
): JournalLine {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', key, deletion_id: outcome.deletionId ?? null, job_ids: [...jobIds] };
    case 'refused':
      return {
        kind: 'refused',
        key,
        jobs: outcome.jobs.map(({ jobId, position, reason: { code, message } }) => ({
          ...{ job_id: jobId, code, message, position },
        })),
      };
    case 'too-large':
      return { kind: 'reopened', key, code: 'too_large' };
    case 'failed':
      return { kind: 'reopened', key, code: outcome.problem.code };
  }
}
