import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import { answerOf, faultOfCall, isLost, isRefusedStream, isUntouched } from './answer.ts';
import { createBatchQueue } from './batch-queue.ts';
import type { Connect } from './connection.ts';
import { endCaught } from './end-caught.ts';
import {
  createMember,
  jobsInFlight,
  rankOf,
  ranks,
  smallBatches,
  type Batch,
  type Member,
} from './member.ts';
import { isOver, mayRepeat, type QueuedCall } from './queued-call.ts';

/** A call of this many jobs gains nothing from company and goes alone. */
const aloneFromJobs = 500;
/** Also the most requests that the deleter takes in one call. */
const maxBatchJobs = 2_000;
/** Half of what a message may have leaves room for one call of any size. */
const maxBatchBytes = 2 * 1024 * 1024;
/** Of small calls, for each connection. */
const maxBatchesInFlight = 2;
const maxAttempts = 3;
const untouchedPauseMs = 5;

export interface Pool {
  send(queued: QueuedCall): void;
  /** Replaces the addresses of the deleters. */
  setAddresses(addresses: readonly string[]): void;
  /** Without any address, calls fail with this reason. */
  failResolution(reason: string): void;
  members(): readonly Member[];
  /** Call it every `tickMs`. */
  tick(): void;
  close(): void;
}

/**
 * Distributes calls over the deleters (docs/decisions/sick-replicas.md). Small calls wait in one queue; the connection
 * with the fewest batches in flight takes the next batch. A deleter that is sick gets no calls while another is well.
 */
export function createPool(connect: Connect): Pool {
  let members: Member[] = [];
  const retiring = new Set<Member>();
  let resolutionFailure: string | undefined;
  let isClosed = false;
  let isDeferred = false;
  let sequence = 0;
  const small = createBatchQueue<QueuedCall>({
    maxJobs: maxBatchJobs,
    maxBytes: maxBatchBytes,
    weigh: ({ call, bytes }) => ({ jobs: call.jobIds.length, bytes }),
  });
  const large = createBatchQueue<QueuedCall>({
    maxJobs: 1,
    maxBytes: 0,
    weigh: ({ call, bytes }) => ({ jobs: call.jobIds.length, bytes }),
  });
  const queueFor = ({ call }: QueuedCall) => (call.jobIds.length < aloneFromJobs ? small : large);
  const hasOtherWell = (member: Member) =>
    members.some((other) => other !== member && rankOf(other) === ranks.well);

  const sendAgain = (calls: readonly QueuedCall[]) => {
    for (const queued of calls) queueFor(queued).putBack([queued]);
    flush();
  };

  const settle = (member: Member, batch: Batch, results: readonly DeleteJobsResult__Output[]) => {
    const answers = batch.calls.map((queued, index) => ({
      queued,
      answer: answerOf(results[index], queued.call.origin.requestId),
    }));
    const isFailed = answers.every(
      ({ answer }) => answer instanceof Fault && answer.code === 'unknown-outcome',
    );
    if (isFailed) member.pace.onFailure();
    else if (batch.isSmall) member.answeredSequence = Math.max(member.answeredSequence, batch.sequence);
    const again: QueuedCall[] = [];
    for (const { queued, answer } of answers) {
      const isLatest = queued.batch === batch;
      if (!(answer instanceof Fault)) {
        if (isLatest || answer.kind === 'accepted') queued.resolve(answer);
      } else if (isLatest) {
        if (isFailed && mayGoElsewhere(queued, member)) again.push(queued);
        else queued.reject(answer);
      }
    }
    sendAgain(again);
  };

  const mayGoElsewhere = (queued: QueuedCall, member: Member) =>
    mayRepeat(queued) && queued.attempts < maxAttempts && hasOtherWell(member);

  const fail = async (member: Member, batch: Batch, error: unknown) => {
    const calls = batch.calls.filter((queued) => queued.batch === batch && !queued.isSettled);
    const hasOtherLink = () => members.some((other) => other !== member && rankOf(other) !== ranks.down);
    if (isRefusedStream(error) || (isUntouched(error) && hasOtherLink())) {
      for (const queued of calls) queued.attempts -= 1;
      await delay(untouchedPauseMs);
      sendAgain(calls);
      return;
    }
    const elsewhere = calls.filter((queued) => isLost(error) && mayGoElsewhere(queued, member));
    for (const queued of calls) if (!elsewhere.includes(queued)) queued.reject(faultOfCall(error));
    sendAgain(elsewhere);
  };

  const start = async (member: Member, calls: readonly QueuedCall[], isSmall: boolean) => {
    const jobs = calls.reduce((sum, { call }) => sum + call.jobIds.length, 0);
    const batch: Batch = { sequence: ++sequence, isSmall, jobs, calls, ageTicks: 0, overtakenTicks: 0 };
    member.batches.add(batch);
    member.pickedSequence = batch.sequence;
    for (const queued of calls) {
      queued.batch = batch;
      queued.attempts += 1;
    }
    const requests = calls.map(({ call }) => ({ ...call, idempotencyKey: call.idempotencyKey ?? '' }));
    // Each call also ends at its own deadline.
    const deadlineMs = Math.max(...calls.map((queued) => queued.deadlineMs));
    try {
      const results = await member.connection.deleteJobs(requests, deadlineMs);
      member.batches.delete(batch);
      settle(member, batch, results);
    } catch (error) {
      member.batches.delete(batch);
      await fail(member, batch, error);
    }
    closeRetired(member);
    flush();
  };

  const pick = (isSmall: boolean): Member | undefined => {
    const rank = Math.min(...members.map(rankOf));
    const load = (member: Member) => ({
      member,
      batches: smallBatches(member).length,
      jobs: jobsInFlight(member),
    });
    const candidates = members.filter((member) => rankOf(member) === rank).map(load);
    const free = candidates.filter(({ batches }) => !isSmall || batches < maxBatchesInFlight);
    const [first] = free.toSorted(
      (a, b) =>
        (isSmall ? a.batches - b.batches : 0) ||
        a.jobs - b.jobs ||
        a.member.pickedSequence - b.member.pickedSequence,
    );
    return first?.member;
  };

  const flushQueue = (queue: typeof small) => {
    while (!queue.isEmpty()) {
      const member = pick(queue === small);
      if (member === undefined) return;
      const calls = queue.take().filter((queued) => !isOver(queued));
      if (calls.length > 0) void start(member, calls, queue === small);
    }
  };

  const rejectAll = (fault: Fault) => {
    for (const queue of [small, large]) for (const queued of queue.takeAll()) queued.reject(fault);
  };

  const flush = () => {
    isDeferred = false;
    if (isClosed) rejectAll(new Fault('unavailable', 'deleter: closed'));
    else if (members.length === 0 && resolutionFailure !== undefined)
      rejectAll(new Fault('unknown-outcome', `deleter: UNAVAILABLE: ${resolutionFailure}`));
    flushQueue(small);
    flushQueue(large);
  };

  const closeRetired = (member: Member) => {
    if (!member.isRetiring || member.batches.size > 0) return;
    retiring.delete(member);
    member.connection.close();
  };

  return {
    send: (queued) => {
      queueFor(queued).push(queued);
      // Calls of one turn of the event loop share a batch.
      if (isDeferred) return;
      isDeferred = true;
      setImmediate(flush);
    },
    setAddresses: (addresses) => {
      resolutionFailure = undefined;
      const gone = members.filter(({ connection }) => !addresses.includes(connection.address));
      const known = members.filter((member) => !gone.includes(member));
      const young = [...new Set(addresses)].filter(
        (address) => !known.some(({ connection }) => connection.address === address),
      );
      members = [...known, ...young.map((address) => createMember(connect(address)))];
      for (const member of gone) {
        member.isRetiring = true;
        retiring.add(member);
        closeRetired(member);
      }
      flush();
    },
    failResolution: (reason) => {
      resolutionFailure = reason;
      flush();
    },
    members: () => members,
    tick: () => {
      for (const member of members) if (member.connection.link() === 'ready') member.health.tick();
      sendAgain(endCaught(members, maxAttempts));
    },
    close: () => {
      isClosed = true;
      flush();
      for (const member of [...members, ...retiring]) {
        for (const { calls } of member.batches)
          for (const queued of calls) queued.reject(new Fault('unknown-outcome', 'deleter: closed'));
        member.connection.close();
      }
      members = [];
    },
  };
}
