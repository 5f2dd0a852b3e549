import { setImmediate as turn } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { HealthAnswer } from '@jobs-delete/proto/client-channel';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { Fault, type FaultCode } from '@jobs-delete/runtime/fault';
import type { Loss, OnOutcome, Outcome } from '../answer.ts';
import type {
  CancellationCall,
  Connection,
  DeletionName,
  JobRange,
  LinkState,
  OnState,
  ReadLimits,
} from '../connection.ts';
import { Pool } from '../pool.ts';

const pools: Pool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

interface SentRequest {
  readonly id: string;
  readonly deletionId: string;
  accept(): void;
  refuse(): void;
  fail(code?: FaultCode, loss?: Loss): void;
}

/** A replica whose answers the test controls. */
export class FakeDeleter implements Connection {
  link = (): LinkState => this.state;
  state: LinkState = 'ready';
  isSilent = false;
  isServing = true;
  isClosed = false;
  reads = 0;
  readonly sent: SentRequest[] = [];
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  /** Its id is the address of the replica that was read. */
  get deletion(): Deletion__Output {
    const state = 'DELETION_STATE_ACCEPTED';
    const times = {
      acceptedAtMs: 1_000,
      publishedAtMs: 0,
      completedAtMs: 0,
      removalAtMs: 0,
      cancelledAtMs: 0,
    };
    const jobs = { jobCount: 3, keptJobCount: 0, jobIds: [], caller: '' };
    return {
      id: this.address,
      accountId: 'Acme',
      state,
      origin: null,
      cancelOrigin: null,
      ...times,
      ...jobs,
    };
  }

  get ids(): string[] {
    return this.sent.map(({ id }) => id);
  }

  get last(): SentRequest {
    return this.sent.at(-1) as SentRequest;
  }

  deleteJobs({ jobIds = [], deletionId = '' }: DeleteJobsRequest, _deadlineMs: number, give: OnOutcome) {
    const accepted = { kind: 'accepted', replayed: false, language: 'en' } as const;
    this.sent.push({
      id: jobIds[0] ?? '',
      deletionId,
      accept: () => give({ ...accepted, deletionId: `by ${this.address}` }),
      refuse: () => give({ kind: 'jobs-not-found', positions: [0] }),
      fail: (code = 'unknown-outcome', loss) => give(new Fault(code, 'told so'), loss),
    });
  }

  cancelDeletion(_call: CancellationCall, { signal }: ReadLimits) {
    return this.isSilent ? untilCancelled(signal) : Promise.resolve(this.deletion);
  }

  getDeletion(_deletion: DeletionName, { signal }: ReadLimits) {
    return this.isSilent ? untilCancelled(signal) : Promise.resolve(this.deletion);
  }

  async watchDeletion(_deletion: DeletionName, { signal }: ReadLimits, onState: OnState) {
    if (!this.isSilent) onState(this.deletion);
    await untilCancelled(signal);
  }

  listJobs(_range: JobRange, { signal }: ReadLimits) {
    return this.isSilent ? untilCancelled(signal) : Promise.resolve({ jobIds: [this.address], next: '' });
  }

  askHealth() {
    if (this.isSilent) return new Promise<HealthAnswer>(() => undefined);
    const reason = 'told so';
    return Promise.resolve<HealthAnswer>(
      this.isServing ? { kind: 'serving' } : { kind: 'not-serving', reason },
    );
  }

  tryRead() {
    this.reads += 1;
    return Promise.resolve(true);
  }

  close() {
    this.isClosed = true;
  }
}

function untilCancelled(signal: AbortSignal | undefined): Promise<never> {
  const error = Object.assign(new Error('cancelled'), { code: status.CANCELLED, details: 'cancelled' });
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(error)));
}

/** A pool of fake replicas. The test also triggers the ticks. */
export function setUpPool(names: readonly string[] = ['a', 'b', 'c']) {
  const deleters = new Map<string, FakeDeleter>();
  const pool = new Pool((address) => {
    const deleter = new FakeDeleter(address);
    deleters.set(address, deleter);
    return deleter;
  });
  pools.push(pool);
  pool.setAddresses(names);
  const deleter = (name: string) => deleters.get(name) as FakeDeleter;
  /** The outcome of each request by its first id; a second outcome is an error. */
  const outcomes = new Map<string, string>();
  /** Returns the name of the replica that got the request; undefined if none did. */
  const send = (id: string, { accountId = 'Acme', jobs = 1, deletionId = `of ${id}` } = {}) => {
    const before = new Map([...deleters.values()].map((each) => [each, each.sent.length]));
    const jobIds = Array.from({ length: jobs }, (_, index) => (index === 0 ? id : `${id}-${String(index)}`));
    pool.send({ accountId, jobIds, deletionId }, Date.now() + 60_000, (outcome) => {
      outcomes.set(id, outcomes.has(id) ? 'two outcomes' : nameOf(outcome));
    });
    return [...before].find(([each, count]) => each.sent.length > count)?.[0].address;
  };
  /** Sends requests of other accounts until this replica gets one; the others accept theirs at once. */
  const sendTo = (name: string, id: string) => {
    for (let index = 0; ; index++) {
      const accountId = `account ${String(index)} of ${id}`;
      const tried = index === 0 ? id : `${id} ${String(index)}`;
      const got = send(tried, { accountId });
      if (got === name) return { id: tried, accountId };
      if (index === 1_000 || got === undefined) throw new Error(`${name} gets no requests`);
      deleter(got).last.accept();
    }
  };
  const tick = async (count: number) => {
    for (let each = 0; each < count; each++) {
      pool.tick();
      await turn();
    }
  };
  return { pool, deleter, send, sendTo, tick, outcomes };
}

function nameOf(outcome: Outcome): string {
  if (outcome instanceof Fault) return outcome.code;
  return outcome.kind === 'accepted' ? `accepted ${outcome.deletionId}` : outcome.kind;
}

/** A pool of two; `a` has the request, and `b` is the other one. */
export async function setUpPair() {
  const pair = setUpPool(['a', 'b']);
  await pair.tick(1);
  const { id, accountId } = pair.sendTo('a', 'request');
  return { ...pair, id, accountId, a: pair.deleter('a'), b: pair.deleter('b') };
}
