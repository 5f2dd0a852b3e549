import type { Fault } from '@jobs-delete/runtime/fault';
import { createBatchQueue, type BatchQueue } from './batch-queue.ts';
import type { MemberList } from './member-list.ts';
import type { Batch, Member } from './member.ts';
import { pickMember } from './pick-member.ts';
import { isOver, type QueuedCall } from './queued-call.ts';
import { settleAnswered, settleFailed } from './settle-batch.ts';

/** A call of at least this many jobs goes alone: sharing a batch would not make it faster. */
const aloneFromJobs = 500;
/** Also the maximum number of requests that the deleter takes in one call. */
const maxBatchJobs = 2_000;
/** Limits a batch to 2 MiB, which is half of the limit of a message. */
const bytesPerJob = 1_048;

export interface Dispatcher {
  send(queued: QueuedCall): void;
  /** Sends calls of an earlier batch, before all others. */
  sendAgain(calls: readonly QueuedCall[]): void;
  /** Rejects every call with this fault while there is no member. Undefined: the calls wait. */
  rejectWithoutMembers(fault: Fault | undefined): void;
}

/** Queues calls, and sends them in batches as soon as a member is free. */
export function createDispatcher(members: MemberList): Dispatcher {
  const small = createCallQueue(maxBatchJobs * bytesPerJob);
  const large = createCallQueue(0);
  const queueFor = ({ call }: QueuedCall) => (call.jobIds.length < aloneFromJobs ? small : large);
  let rejection: Fault | undefined;
  let isDeferred = false;
  let sequence = 0;

  const start = async (member: Member, calls: readonly QueuedCall[], isSmall: boolean) => {
    sequence += 1;
    const batch = addBatch(member, calls, sequence, isSmall);
    sendAgain(await sendBatch(member, batch, members.current));
    members.closeIfRetired(member);
    flush();
  };

  const flushQueue = (queue: BatchQueue<QueuedCall>) => {
    while (!queue.isEmpty()) {
      const member = pickMember(members.current(), queue === small);
      if (member === undefined) return;
      const calls = queue.take().filter((queued) => !isOver(queued));
      if (calls.length > 0) void start(member, calls, queue === small);
    }
  };

  const flush = () => {
    isDeferred = false;
    for (const queue of [small, large]) {
      if (rejection !== undefined && members.current().length === 0) rejectAll(queue, rejection);
      flushQueue(queue);
    }
  };

  const sendAgain = (calls: readonly QueuedCall[]) => {
    for (const queued of calls) queueFor(queued).putBack(queued);
    flush();
  };

  return {
    send: (queued) => {
      queueFor(queued).push(queued);
      // Calls of one turn of the event loop share a batch.
      if (isDeferred) return;
      isDeferred = true;
      setImmediate(flush);
    },
    sendAgain,
    rejectWithoutMembers: (fault) => {
      rejection = fault;
      flush();
    },
  };
}

/** One weight limits jobs and bytes: a call weighs its bytes, and at least `bytesPerJob` for each job. */
function createCallQueue(maxWeight: number): BatchQueue<QueuedCall> {
  return createBatchQueue({
    keyOf: ({ call }) => call.accountId,
    weigh: ({ call, bytes }) => Math.max(bytes, call.jobIds.length * bytesPerJob),
    maxWeight,
  });
}

function rejectAll(queue: BatchQueue<QueuedCall>, fault: Fault): void {
  while (!queue.isEmpty()) for (const queued of queue.take()) queued.reject(fault);
}

function addBatch(member: Member, calls: readonly QueuedCall[], sequence: number, isSmall: boolean): Batch {
  const jobs = calls.reduce((sum, { call }) => sum + call.jobIds.length, 0);
  const batch: Batch = { sequence, isSmall, jobs, calls, ageTicks: 0, overtakenTicks: 0 };
  member.batches.add(batch);
  member.pickedSequence = sequence;
  for (const queued of calls) {
    queued.batch = batch;
    queued.attempts += 1;
  }
  return batch;
}

/** Sends the batch and settles its calls. Resolves to the calls to send again; never rejects. */
async function sendBatch(
  member: Member,
  batch: Batch,
  members: () => readonly Member[],
): Promise<QueuedCall[]> {
  const requests = batch.calls.map(({ call }) => ({ ...call, idempotencyKey: call.idempotencyKey ?? '' }));
  // Each call also ends at its own deadline.
  const deadlineMs = Math.max(...batch.calls.map((queued) => queued.deadlineMs));
  try {
    const results = await member.connection.deleteJobs(requests, deadlineMs);
    member.batches.delete(batch);
    return settleAnswered(member, batch, results, members());
  } catch (error) {
    member.batches.delete(batch);
    return settleFailed(member, batch, error, members());
  }
}
