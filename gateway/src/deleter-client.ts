import { setTimeout as delay } from 'node:timers/promises';
import { credentials, experimental, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { Status__Output } from '@jobs-delete/proto/generated/google/rpc/Status';
import type { BatchDeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/BatchDeleteJobsResponse';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { readUnavailableJobs } from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import { createLane } from '@jobs-delete/runtime/lane';
import { checkDeleter, type DeleterTrouble } from './check-deleter.ts';
import { languages, type Language } from './messages/messages.ts';

export interface DeleteJobsCall {
  readonly accountId: string;
  readonly jobIds: string[];
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
}

export type DeleteJobsAnswer =
  | {
      readonly kind: 'accepted';
      readonly deletionId: string;
      readonly replayed: boolean;
      /** Of the first answer, where this one is a replay. */
      readonly language: Language;
    }
  | { readonly kind: 'jobs-unavailable'; readonly positions: readonly number[]; readonly truncated: boolean }
  | { readonly kind: 'key-reused' };

export interface DeleterClient {
  /** @throws Fault: `unknown-outcome` when the deletion may or may not have been accepted */
  deleteJobs(call: DeleteJobsCall): Promise<DeleteJobsAnswer>;
  /** What keeps every deleter from being used, or undefined. */
  check(): Promise<DeleterTrouble | undefined>;
  close(): void;
}

export interface DeleterClientOptions {
  /** `host:port` */
  readonly address: string;
  readonly serviceToken: string | undefined;
  /** Undefined for a connection without TLS. */
  readonly certificates?: experimental.CertificateProvider | undefined;
  /** For a call, its waiting included. */
  readonly timeoutMs: number;
}

/** A call of this many jobs gains nothing from company. */
const aloneFromJobs = 500;
/** And so the most requests: the deleter takes no more of them in one call. */
const maxBatchJobs = 2_000;
const maxBatchesInFlight = 2;

interface Waiting {
  readonly call: DeleteJobsCall;
  readonly deadlineMs: number;
  readonly resolve: (answer: DeleteJobsAnswer) => void;
  readonly reject: (fault: Fault) => void;
}

/**
 * Calls that are made at the same time travel together: a gRPC call costs both sides as much as all else that they do
 * for a small request.
 */
export function connectDeleter(options: DeleterClientOptions): DeleterClient {
  const { address, serviceToken, certificates, timeoutMs } = options;
  const metadata = new Metadata();
  if (serviceToken !== undefined) metadata.set('authorization', `Bearer ${serviceToken}`);
  const security = certificates
    ? experimental.createCertificateProviderChannelCredentials(certificates, certificates)
    : credentials.createInsecure();
  const client = new DeleterService(address, security, {
    'grpc.max_receive_message_length': 8 * 1024 * 1024,
    'grpc.max_send_message_length': 8 * 1024 * 1024,
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.keepalive_time_ms': 60_000,
    // An upgrade replaces every api: by 30 s, its default, all the addresses known may be gone.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    // A new channel a client: two gateways of one process must not close each other's.
    'grpc.use_local_subchannel_pool': 1,
  });

  /** Never rejects. Has a deadline of its own, that of the caller who waits longest: each is told at its own. */
  const send = async (waiting: readonly Waiting[]): Promise<void> => {
    const group = waiting.filter(({ deadlineMs }) => deadlineMs > Date.now());
    if (group.length === 0) return;
    const requests = group.map(({ call }) => ({ ...call, idempotencyKey: call.idempotencyKey ?? '' }));
    const deadline = Math.max(...group.map(({ deadlineMs }) => deadlineMs));
    try {
      const results = await new Promise<DeleteJobsResult__Output[]>((resolve, reject) => {
        const settle = (error: ServiceError | null, response?: BatchDeleteJobsResponse__Output) => {
          if (error !== null) reject(error);
          else resolve(response?.results ?? []);
        };
        client.BatchDeleteJobs({ requests }, metadata, { deadline }, settle);
      });
      for (const [index, { resolve, reject }] of group.entries()) {
        const answer = answerOf(results[index]);
        if (answer instanceof Fault) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      if (isUntouched(error)) {
        await delay(untouchedPauseMs);
        return send(group);
      }
      for (const { reject } of group) reject(asFaultOfCall(error));
    }
  };
  const sendTogether = createLane<Waiting>({
    take: send,
    weigh: ({ call }) => call.jobIds.length,
    maxGroupWeight: maxBatchJobs,
    maxGroupsInFlight: maxBatchesInFlight,
    defer: (act) => void setImmediate(act),
  });

  return {
    deleteJobs: (call) =>
      new Promise<DeleteJobsAnswer>((resolve, reject) => {
        const giveUp = () => reject(new Fault('unknown-outcome', 'deleter: no answer in time'));
        const timer = setTimeout(giveUp, timeoutMs);
        const waiting = {
          call,
          deadlineMs: Date.now() + timeoutMs,
          resolve: (answer: DeleteJobsAnswer) => {
            clearTimeout(timer);
            resolve(answer);
          },
          reject: (fault: Fault) => {
            clearTimeout(timer);
            reject(fault);
          },
        };
        if (call.jobIds.length < aloneFromJobs) sendTogether.push(waiting);
        else void send([waiting]);
      }),
    check: () => checkDeleter(client, metadata),
    close: () => client.close(),
  };
}

/**
 * A connection that is at its end, of its age or of its server, refuses what comes too late before any of it is
 * processed (RFC 9113, 8.7), so that it may be sent again. grpc-js itself does that once, maybe to the same connection.
 */
function isUntouched(error: unknown): boolean {
  return isServiceError(error) && error.details === 'Stream refused by server';
}

const untouchedPauseMs = 5;

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

function asFaultOfCall(error: unknown): Fault {
  if (isServiceError(error)) return faultOf(status[error.code], error.details, error);
  // The channel itself throws once it is closed.
  return new Fault('unavailable', 'deleter: closed', error);
}

function answerOf(result: DeleteJobsResult__Output | undefined): DeleteJobsAnswer | Fault {
  if (result?.response) return accepted(result.response);
  if (result?.error) return refused(result.error);
  return new Fault('internal', 'the deleter answered nothing');
}

function accepted({ deletionId, replayed, language }: DeleteJobsResponse__Output): DeleteJobsAnswer {
  const known = languages.find((candidate) => candidate === language) ?? languages[0];
  return { kind: 'accepted', deletionId, replayed, language: known };
}

function refused(error: Status__Output): DeleteJobsAnswer | Fault {
  const code = status[error.code];
  const unavailable = code === 'NOT_FOUND' ? readUnavailableJobs(error) : undefined;
  if (unavailable !== undefined) return { kind: 'jobs-unavailable', ...unavailable };
  if (code === 'ALREADY_EXISTS') return { kind: 'key-reused' };
  return faultOf(code, error.message);
}

function faultOf(code: string | undefined, details: string, cause?: unknown): Fault {
  const message = `deleter: ${code ?? 'unknown code'}: ${details}`;
  switch (code) {
    case 'UNAVAILABLE':
    case 'DEADLINE_EXCEEDED':
    case 'CANCELLED':
    case 'RESOURCE_EXHAUSTED':
    case 'ABORTED':
      return new Fault('unknown-outcome', message, cause);
    // A service token that is not (or no longer, or not yet) valid there: for the operator to set right, not the caller.
    case 'UNAUTHENTICATED':
    case 'PERMISSION_DENIED':
      return new Fault('unavailable', message, cause);
    default:
      return new Fault('internal', message, cause);
  }
}
