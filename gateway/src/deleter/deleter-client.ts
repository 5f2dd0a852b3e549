import { experimental } from '@grpc/grpc-js';
import { channelSecurity, resolverOptions, type HealthAnswer } from '@jobs-delete/proto/client-channel';
import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import type { DeleteJobsAnswer } from './answer.ts';
import { createConnect, type CancellationCall, type JobRange } from './connection.ts';
import { Pool } from './pool.ts';
import {
  cancelDeletion,
  listJobs,
  readDeletion,
  type DeletionQuery,
  type DeletionStatus,
  type OwnJobs,
} from './repeated-calls.ts';
import { ranks, tickMs, type Replica } from './replica.ts';

export type { DeleteJobsAnswer } from './answer.ts';

export interface DeleteJobsCall {
  readonly accountId: string;
  readonly jobIds: string[];
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
}

/** Why no deleter can be used. */
export interface DeleterTrouble {
  readonly reason: string;
  /** A deleter serves, but does not accept this service token. */
  readonly isTokenRefused: boolean;
}

export interface DeleterClient {
  /** @throws Fault: `busy` when nothing has changed, `unknown-outcome` when the deletion may have been accepted */
  deleteJobs(call: DeleteJobsCall): Promise<DeleteJobsAnswer>;
  /** Resolves to undefined when the account has no such deletion. @throws Fault */
  readDeletion(query: DeletionQuery): Promise<DeletionStatus | undefined>;
  /** @throws Fault */
  listJobs(range: JobRange): Promise<OwnJobs>;
  /** Resolves to undefined when the account has no such deletion. A second call has the same answer. @throws Fault */
  cancelDeletion(call: CancellationCall): Promise<DeletionStatus | 'not-cancellable' | undefined>;
  /** Resolves to undefined when at least one deleter can be used. */
  check(): Promise<DeleterTrouble | undefined>;
  close(): void;
}

export interface PooledDeleterClient extends DeleterClient {
  connections(): ReturnType<typeof countByState>;
}

export interface DeleterClientOptions {
  /** `HOST:PORT`, `dns:///HOST:PORT` or `ipv4:ADDRESS:PORT,ADDRESS:PORT` */
  readonly address: string;
  /** Returns the current token of the gateway. Undefined: it sends none. */
  readonly serviceToken: (() => string | undefined) | undefined;
  /** Undefined for a connection without TLS. */
  readonly certificates?: experimental.CertificateProvider | undefined;
  /** Timeout of a call with all its attempts. */
  readonly timeoutMs: number;
  /** Called when a deleter becomes sick, with the reason, and when it is well again. */
  readonly onCondition?: (address: string, trouble: string | undefined) => void;
}

const refreshTicks = 50;
const refreshInTroubleTicks = 10;
const checkTimeoutMs = 2_000;
/** Reads share the event loop of the apis with the requests that delete jobs. */
const maxReads = 32;
const maxWaitingReads = 1_000;
/** A page of jobs is a thousand times the work of a status. */
const maxLists = 4;
const maxWaitingLists = 200;

/** Connects to every address of the deleter service, and sends calls to those that are well. */
export function connectDeleter(options: DeleterClientOptions): PooledDeleterClient {
  const { address, serviceToken, certificates, timeoutMs, onCondition } = options;
  const security = channelSecurity(certificates);
  const pool = new Pool(createConnect({ serviceToken, security, hostName: hostNameOf(address), timeoutMs }));
  const reads = createFairSemaphore({
    maxRunning: maxReads,
    maxWaiting: maxWaitingReads,
    maxPerTurn: maxReads,
  });
  const lists = createFairSemaphore({ maxRunning: maxLists, maxWaiting: maxWaitingLists });
  let resolutionFailure: string | undefined;
  let onResolved: () => void = () => undefined;
  const resolved = new Promise<void>((resolve) => (onResolved = resolve));
  const addresses = watchAddresses(
    address,
    (found) => {
      resolutionFailure = undefined;
      pool.setAddresses(found);
      onResolved();
    },
    (reason) => {
      resolutionFailure = reason;
      pool.failResolution(reason);
      onResolved();
    },
  );

  const connections = () => countByState(pool.replicas());
  const reportConditions = createConditionReporter(onCondition);
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    pool.tick();
    reportConditions(pool.replicas());
    const isTrouble = connections().well < pool.replicas().length || pool.replicas().length === 0;
    if (ticks % (isTrouble ? refreshInTroubleTicks : refreshTicks) === 0) addresses.refresh();
  }, tickMs);
  timer.unref();

  const reading = { replicas: () => pool.replicas(), reads, timeoutMs, clock: systemClock };
  return {
    deleteJobs: (call) => deleteJobs(pool, call, timeoutMs),
    readDeletion: (query) => readDeletion(query, reading),
    cancelDeletion: (call) => cancelDeletion(call, reading),
    listJobs: (range) => listJobs(range, { ...reading, reads: lists }),
    check: async () => {
      await resolved;
      const asked = pool.replicas().map(({ connection }) => connection.askHealth(checkTimeoutMs));
      if (asked.length === 0)
        return { reason: `UNAVAILABLE: ${resolutionFailure ?? 'no address'}`, isTokenRefused: false };
      return firstServing(asked);
    },
    connections,
    close: () => {
      clearInterval(timer);
      addresses.stop();
      pool.close();
    },
  };
}

function deleteJobs(pool: Pool, call: DeleteJobsCall, timeoutMs: number): Promise<DeleteJobsAnswer> {
  // All attempts carry this id, so the deletion is accepted once (docs/decisions/repeatable-calls.md).
  const deletionId = systemRandom.uuid();
  const request = { ...call, idempotencyKey: call.idempotencyKey ?? '', deletionId };
  return new Promise((resolve, reject) => {
    const late = () => giveUp(new Fault('unknown-outcome', 'deleter: no answer in time'));
    const timer = setTimeout(late, timeoutMs);
    const giveUp = pool.send(request, Date.now() + timeoutMs, (outcome) => {
      clearTimeout(timer);
      if (outcome instanceof Fault) reject(outcome);
      else resolve(outcome);
    });
  });
}

/** Returns the numbers of replicas that are well, sick, or not connected. */
function countByState(replicas: readonly Replica[]) {
  const ofRank = (...wanted: number[]) => replicas.filter(({ rank }) => wanted.includes(rank)).length;
  return {
    well: ofRank(ranks.well),
    sick: ofRank(ranks.sick),
    down: ofRank(ranks.down, ranks.connecting),
  };
}

/** Reports each change once. Forgets an address that is gone. */
function createConditionReporter(onCondition: DeleterClientOptions['onCondition']) {
  const sick = new Set<string>();
  return (replicas: readonly Replica[]) => {
    const known = new Set(replicas.map(({ connection }) => connection.address));
    for (const address of sick) if (!known.has(address)) sick.delete(address);
    for (const replica of replicas) {
      const { address } = replica.connection;
      const trouble = replica.trouble();
      if ((trouble !== undefined) === sick.has(address)) continue;
      if (trouble === undefined) sick.delete(address);
      else sick.add(address);
      onCondition?.(address, trouble);
    }
  };
}

/** Resolves to undefined as soon as one serves, otherwise to the most useful reason. */
async function firstServing(asked: readonly Promise<HealthAnswer>[]): Promise<DeleterTrouble | undefined> {
  const serving = asked.map(async (pending) => {
    const { kind } = await pending;
    if (kind !== 'serving') throw new Error(kind);
  });
  try {
    await Promise.any(serving);
    return undefined;
  } catch {
    const answers = await Promise.all(asked);
    const ofKind = (wanted: HealthAnswer['kind']) => answers.find(({ kind }) => kind === wanted);
    const answer = ofKind('token-refused') ?? ofKind('not-serving') ?? answers[0];
    const reason = answer !== undefined && 'reason' in answer ? answer.reason : 'no answer';
    return { reason, isTokenRefused: answer?.kind === 'token-refused' };
  }
}

const resolving = {
  ...resolverOptions,
  'grpc.initial_reconnect_backoff_ms': 500,
  'grpc.max_reconnect_backoff_ms': 5_000,
};

/**
 * Resolves `HOST:PORT`, `dns:///HOST:PORT` or `ipv4:A:PORT,B:PORT` with the resolvers of grpc-js. Several refreshes within a
 * second count as one.
 * @param onAddresses called with every resolved `HOST:PORT`; an IPv6 host is in brackets
 */
function watchAddresses(
  target: string,
  onAddresses: (addresses: readonly string[]) => void,
  onError: (reason: string) => void,
) {
  const resolver = experimental.createResolver(
    uriOf(target),
    (endpoints) => {
      if (endpoints.ok)
        onAddresses(
          endpoints.value.flatMap(({ addresses }) => addresses.map(experimental.subchannelAddressToString)),
        );
      else onError(endpoints.error.details);
      return endpoints.ok;
    },
    resolving,
  );
  resolver.updateResolution();
  return { refresh: () => resolver.updateResolution(), stop: () => resolver.destroy() };
}

/** Returns the name that certificates must have; undefined for a list of addresses. */
function hostNameOf(target: string): string | undefined {
  const { scheme, path } = uriOf(target);
  return scheme === 'dns' ? experimental.splitHostPort(path)?.host : undefined;
}

function uriOf(target: string): experimental.GrpcUri {
  if (target.startsWith('ipv4:')) return { scheme: 'ipv4', path: target.slice('ipv4:'.length) };
  return { scheme: 'dns', authority: '', path: target.replace(/^dns:\/\/\//, '') };
}
