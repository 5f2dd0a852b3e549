import type { experimental } from '@grpc/grpc-js';
import type { DeleteJobsAnswer } from './answer.ts';
import type { HealthAnswer } from '@jobs-delete/proto/ask-health';
import { channelSecurity } from '@jobs-delete/proto/client-channel';
import { createConnect } from './connection.ts';
import { rankOf, ranks, troubleOf, type Member } from './member.ts';
import { createPool } from './pool.ts';
import { queueCall, type DeleteJobsCall } from './queued-call.ts';
import { readDeletion, type DeletionQuery, type DeletionStatus } from './read-deletion.ts';
import { hostNameOf, watchAddresses } from './watch-addresses.ts';
import { tickMs } from './watch-health.ts';

export type { DeleteJobsAnswer } from './answer.ts';
export type { DeleteJobsCall } from './queued-call.ts';

/** Why no deleter can be used. */
export interface DeleterTrouble {
  readonly reason: string;
  /** A deleter serves, but does not accept this service token. */
  readonly isTokenRefused: boolean;
}

export interface DeleterClient {
  /** @throws Fault: `unknown-outcome` when the deletion may or may not have been accepted */
  deleteJobs(call: DeleteJobsCall): Promise<DeleteJobsAnswer>;
  /** Resolves to undefined when the account has no such deletion. @throws Fault */
  readDeletion(query: DeletionQuery): Promise<DeletionStatus | undefined>;
  /** Resolves to undefined when at least one deleter can be used. */
  check(): Promise<DeleterTrouble | undefined>;
  close(): void;
}

/** How many addresses of the deleter service can be used, are sick, or are not connected. */
export interface DeleterConnections {
  readonly well: number;
  readonly sick: number;
  readonly down: number;
}

export interface PooledDeleterClient extends DeleterClient {
  connections(): DeleterConnections;
}

export interface DeleterClientOptions {
  /** `HOST:PORT`, `dns:///HOST:PORT` or `ipv4:ADDRESS:PORT,ADDRESS:PORT` */
  readonly address: string;
  /** Returns the current token of the gateway. Undefined: it sends none. */
  readonly serviceToken: (() => string | undefined) | undefined;
  /** Undefined for a connection without TLS. */
  readonly certificates?: experimental.CertificateProvider | undefined;
  /** Timeout of a call, including its time in the queue. */
  readonly timeoutMs: number;
  /** Called when a deleter becomes sick, with the reason, and when it is well again. */
  readonly onCondition?: (address: string, trouble: string | undefined) => void;
}

const refreshTicks = 50;
const refreshInTroubleTicks = 10;
const checkTimeoutMs = 2_000;

/** Connects to every address of the deleter service, and sends calls to those that are well. */
export function connectDeleter(options: DeleterClientOptions): PooledDeleterClient {
  const { address, serviceToken, certificates, timeoutMs, onCondition } = options;
  const security = channelSecurity(certificates);
  const pool = createPool(createConnect({ serviceToken, security, hostName: hostNameOf(address) }));
  let resolutionFailure: string | undefined;
  let onResolved: () => void = () => undefined;
  const resolved = new Promise<void>((resolve) => (onResolved = resolve));
  const addresses = watchAddresses(address, {
    onAddresses: (found) => {
      resolutionFailure = undefined;
      pool.setAddresses(found);
      onResolved();
    },
    onError: (reason) => {
      resolutionFailure = reason;
      pool.failResolution(reason);
      onResolved();
    },
  });

  const connections = () => countByState(pool.members());
  const reportConditions = createConditionReporter(onCondition);
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    pool.tick();
    reportConditions(pool.members());
    const isTrouble = connections().well < pool.members().length || pool.members().length === 0;
    if (ticks % (isTrouble ? refreshInTroubleTicks : refreshTicks) === 0) addresses.refresh();
  }, tickMs);
  timer.unref();

  return {
    deleteJobs: (call) => {
      const [queued, answer] = queueCall(call, timeoutMs);
      pool.send(queued);
      return answer;
    },
    readDeletion: (query) => readDeletion(pool.members, query, timeoutMs),
    check: async () => {
      await resolved;
      const asked = pool.members().map(({ connection }) => connection.askHealth(checkTimeoutMs));
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

function countByState(members: readonly Member[]): DeleterConnections {
  const ofRank = (...wanted: number[]) => members.filter((member) => wanted.includes(rankOf(member))).length;
  return {
    well: ofRank(ranks.well),
    sick: ofRank(ranks.suspect),
    down: ofRank(ranks.down, ranks.connecting),
  };
}

/** Reports each change once. */
function createConditionReporter(onCondition: DeleterClientOptions['onCondition']) {
  const sick = new Set<string>();
  return (members: readonly Member[]) => {
    for (const member of members) {
      const { address } = member.connection;
      const trouble = troubleOf(member);
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
