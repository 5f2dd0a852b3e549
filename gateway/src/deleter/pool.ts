import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import { Fault } from '@jobs-delete/runtime/fault';
import { systemClock, type Clock } from '@jobs-delete/runtime/time/clock';
import type { Loss, Outcome } from './answer.ts';
import type { Connect } from './connection.ts';
import { pickReplica } from './pick-replica.ts';
import { createReplica, patienceTicks, ranks, type Comparison, type Replica } from './replica.ts';
import {
  attemptsOf,
  isOpen,
  isOpenElsewhere,
  mayPass,
  pendingRequest,
  settle,
  unknownIfOpen,
  type Attempt,
  type PendingRequest,
} from './pending-request.ts';

const maxAttempts = 3;
/** Extra time for the first replica: after a stall of the database, both answer at about the same time. */
const graceTicks = 2;
const excusedTicks = 50;
/** A large request may take seconds. After this time it leaves a sick replica. */
const largePatienceTicks = 30;
const untouchedPauseMs = 5;

/** Distributes requests over the replicas, and finds out which are sick (docs/decisions/sick-replicas.md). */
export class Pool {
  readonly #connect: Connect;
  readonly #sleep: Clock['sleep'];
  #replicas: readonly Replica[] = [];
  readonly #retired = new Set<Replica>();
  /** The unanswered requests and jobs of all replicas. */
  #load = 0;
  /** The replicas of the lowest rank. */
  #usable: readonly Replica[] = [];
  #usableRank: number = ranks.down;
  /** Requests that wait for an address. */
  #homeless: PendingRequest[] = [];
  #homelessFault: Fault | undefined;
  #ticks = 0;
  #isClosed = false;

  constructor(connect: Connect, { sleep }: Pick<Clock, 'sleep'> = systemClock) {
    this.#connect = connect;
    this.#sleep = sleep;
  }

  replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /**
   * Sends the request, several times if it must: its `deletionId` makes that safe. Calls `onOutcome` once.
   * @returns a function that gives up, with this fault as the outcome
   */
  send(
    request: DeleteJobsRequest,
    deadlineMs: number,
    onOutcome: (outcome: Outcome) => void,
  ): (fault: Fault) => void {
    const pending = pendingRequest(request, deadlineMs, onOutcome);
    this.#sendFirst(pending);
    return (fault) => settle(pending, fault);
  }

  /** Replaces the addresses. A replica whose address is gone gets no more calls, and is closed after its last one. */
  setAddresses(addresses: readonly string[]): void {
    if (this.#isClosed) return;
    const known = new Map(this.#replicas.map((replica) => [replica.connection.address, replica]));
    const wanted = [...new Set(addresses)];
    this.#replicas = wanted.map((address) => known.get(address) ?? createReplica(this.#connect(address)));
    for (const replica of known.values()) if (!this.#replicas.includes(replica)) this.#retired.add(replica);
    this.#updateRanks();
    for (const replica of this.#retired) this.#closeIfRetired(replica);
    this.#settleHomeless(undefined);
  }

  /** Rejects requests with this reason while there is no address. */
  failResolution(reason: string): void {
    if (!this.#isClosed) this.#settleHomeless(new Fault('unavailable', `deleter: UNAVAILABLE: ${reason}`));
  }

  /** Called every `tickMs`. */
  tick(): void {
    this.#ticks += 1;
    const all = [...this.#replicas, ...this.#retired];
    for (const replica of all) replica.tick();
    this.#updateRanks();
    for (const replica of all) {
      if (this.#usableRank === ranks.well && replica.rank !== ranks.well)
        for (const read of replica.reads) read.abort();
      if (replica.comparison !== undefined) this.#endComparison(replica, replica.comparison);
      if (replica.isSilent()) this.#moveAway(replica.large);
      else if (replica.trouble() !== undefined) this.#moveAway(replica.large, largePatienceTicks);
      if (replica.isSilent() || replica.isBlamed()) this.#moveAway(replica.small);
      else if (replica.comparison === undefined) this.#compare(replica);
      this.#closeIfRetired(replica);
    }
  }

  close(): void {
    this.#isClosed = true;
    const fault = new Fault('unknown-outcome', 'deleter: closed');
    const open = [...this.#replicas, ...this.#retired];
    for (const { small, large } of open)
      for (const { pending } of [...small, ...large]) settle(pending, fault);
    for (const { connection } of open) connection.close();
    [this.#replicas, this.#usable] = [[], []];
    this.#retired.clear();
    this.#settleHomeless(new Fault('unavailable', 'deleter: closed'));
  }

  #updateRanks(): void {
    for (const replica of [...this.#replicas, ...this.#retired]) replica.rank = replica.measureRank();
    this.#usableRank = Math.min(...this.#replicas.map(({ rank }) => rank));
    this.#usable = this.#replicas.filter(({ rank }) => rank === this.#usableRank);
  }

  #blame(replica: Replica, reason: string): void {
    replica.blame(reason);
    this.#updateRanks();
  }

  #sendFirst(pending: PendingRequest): void {
    // A link may have come back since the last tick.
    if (this.#usableRank === ranks.down) this.#updateRanks();
    const replica = pickReplica(this.#usable, pending.accountId, this.#averageLoad());
    if (replica !== undefined) this.#start(pending, replica);
    else if (this.#homelessFault !== undefined) settle(pending, this.#homelessFault);
    else this.#homeless.push(pending);
  }

  /** Returns a replica that the request has not been sent to. */
  #pickOther({ accountId, attempts }: PendingRequest, worstRank: number): Replica | undefined {
    if (this.#usableRank > worstRank) return undefined;
    const isNew = (other: Replica) => attempts.every(({ replica }) => replica !== other);
    return pickReplica(this.#usable, accountId, this.#averageLoad(), isNew);
  }

  #averageLoad(): number {
    return this.#load / this.#usable.length;
  }

  #start(pending: PendingRequest, replica: Replica): Attempt {
    const attempt = { pending, replica, sentTick: this.#ticks, isOpen: true, failedAfter: undefined };
    pending.attempts.push(attempt);
    attemptsOf(attempt).add(attempt);
    replica.load += pending.load;
    this.#load += pending.load;
    replica.connection.deleteJobs(pending.request, pending.deadlineMs, (outcome, loss) =>
      this.#onOutcome(attempt, outcome, loss),
    );
    return attempt;
  }

  #onOutcome(attempt: Attempt, outcome: Outcome, loss: Loss | undefined): void {
    const { pending, replica } = attempt;
    attempt.isOpen = false;
    attemptsOf(attempt).delete(attempt);
    replica.load -= pending.load;
    this.#load -= pending.load;
    // A stream that breaks loses many requests. Only the first one changes the ranks.
    if (loss !== undefined && replica.measureRank() !== replica.rank) this.#updateRanks();
    if (!(outcome instanceof Fault)) this.#onAnswer(attempt, outcome);
    else if (pending.onOutcome !== undefined) this.#onFault(attempt, outcome, loss);
    this.#closeIfRetired(replica);
  }

  #onAnswer({ pending, replica }: Attempt, answer: Outcome): void {
    replica.answers += 1;
    for (const other of pending.attempts) {
      const { comparison } = other.replica;
      if (comparison?.first === other && other.isOpen) comparison.answeredTick ??= this.#ticks;
      // A replica that has answered another request meanwhile is not sick.
      if (other.replica !== replica && other.failedAfter === other.replica.answers)
        this.#blame(other.replica, 'another replica answers what it fails');
    }
    if (!mayPass(pending, answer)) settle(pending, answer);
    else if (pending.unknown !== undefined) settle(pending, pending.unknown);
    else if (isOpen(pending)) pending.refusal = answer;
    else settle(pending, answer);
  }

  #onFault(attempt: Attempt, fault: Fault, loss: Loss | undefined): void {
    const { pending, replica } = attempt;
    const isBusy = fault.code === 'busy';
    if (fault.code === 'unknown-outcome' && loss !== 'untouched') pending.unknown ??= fault;
    if (!isBusy && loss !== 'untouched') attempt.failedAfter = replica.answers;
    if (pending.refusal !== undefined) {
      if (!isOpen(pending)) settle(pending, pending.unknown ?? pending.refusal);
      return;
    }
    // Another attempt may still be answered.
    if (isOpenElsewhere(pending)) return;
    const mayRepeat = isBusy ? !pending.wasRefused : fault.code !== 'internal';
    pending.wasRefused ||= isBusy;
    const next = mayRepeat ? this.#pickNext(attempt, isBusy, loss) : undefined;
    if (next !== undefined) this.#start(pending, next);
    else if (loss === 'untouched' && this.#usableRank < ranks.down) this.#sendAgainSoon(attempt);
    else settle(pending, pending.unknown ?? unknownIfOpen(pending, fault));
  }

  /** Returns where to send a failed request next: the same replica only if its connection broke and there is no other. */
  #pickNext({ pending, replica }: Attempt, isBusy: boolean, loss: Loss | undefined): Replica | undefined {
    if (pending.attempts.length >= maxAttempts) return undefined;
    const other = this.#pickOther(pending, isBusy ? ranks.well : ranks.connecting);
    const isBack = loss === 'lost' && replica.rank < ranks.down && this.#replicas.includes(replica);
    return other ?? (isBack ? replica : undefined);
  }

  /** No server has seen the attempt, so it does not count. */
  #sendAgainSoon(attempt: Attempt): void {
    const { pending } = attempt;
    pending.attempts.splice(pending.attempts.indexOf(attempt), 1);
    void this.#sleep(untouchedPauseMs).then(() => {
      if (pending.onOutcome !== undefined) this.#sendFirst(pending);
    });
  }

  /**
   * Sends the open attempts of a sick replica to others once they have waited for `patience` ticks. The first answer counts, also
   * one of the sick replica.
   */
  #moveAway(attempts: ReadonlySet<Attempt>, patience = 0): void {
    if (this.#usableRank !== ranks.well) return;
    for (const { pending, sentTick } of attempts) {
      if (this.#ticks - sentTick < patience) return;
      if (pending.onOutcome === undefined || pending.attempts.length >= maxAttempts) continue;
      if (pending.refusal !== undefined || isOpenElsewhere(pending)) continue;
      const other = this.#pickOther(pending, ranks.well);
      if (other !== undefined) this.#start(pending, other);
    }
  }

  /** Sends the oldest late request of a replica to another one too, to compare the two. */
  #compare(replica: Replica): void {
    if (this.#usableRank !== ranks.well) return;
    for (const attempt of replica.small) {
      const { pending, sentTick } = attempt;
      if (this.#ticks - sentTick < patienceTicks) return;
      if (pending.onOutcome === undefined || pending.attempts.at(-1) !== attempt) continue;
      if (pending.attempts.length >= maxAttempts) continue;
      if ((replica.excused.get(pending.accountId) ?? 0) > this.#ticks) continue;
      const other = this.#pickOther(pending, ranks.well);
      if (other !== undefined) replica.comparison = { first: attempt, second: this.#start(pending, other) };
      return;
    }
  }

  /** Ends the comparison if it is decided. The first replica is sick only if the other one was in time. */
  #endComparison(replica: Replica, { first, second, answeredTick }: Comparison): void {
    if (first.isOpen && answeredTick !== undefined) {
      if (this.#ticks - answeredTick < graceTicks) return;
      this.#blame(replica, 'another replica is faster by 1 s');
    } else if (first.isOpen) {
      if (second.isOpen && this.#ticks - second.sentTick < patienceTicks) return;
      const { excused } = replica;
      for (const [account, untilTick] of excused) if (untilTick <= this.#ticks) excused.delete(account);
      excused.set(first.pending.accountId, this.#ticks + excusedTicks);
    }
    replica.comparison = undefined;
  }

  #closeIfRetired(replica: Replica): void {
    const { small, large, reads, connection } = replica;
    if (small.size + large.size + reads.size === 0 && this.#retired.delete(replica)) connection.close();
  }

  /** @param fault for requests without a replica from now on; undefined: they wait */
  #settleHomeless(fault: Fault | undefined): void {
    this.#homelessFault = fault;
    const waiting = this.#homeless;
    this.#homeless = [];
    for (const pending of waiting) if (pending.onOutcome !== undefined) this.#sendFirst(pending);
  }
}
