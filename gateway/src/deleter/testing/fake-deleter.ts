import { setImmediate as turn } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import { asFault } from '@jobs-delete/runtime/fault';
import type { HealthAnswer } from '@jobs-delete/proto/ask-health';
import type { Connection, DeletionName, LinkState, OnState, ReadLimits } from '../connection.ts';
import { createPool, type Pool } from '../pool.ts';
import { queueCall, type DeleteJobsCall } from '../queued-call.ts';

const pools: Pool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

interface SentBatch {
  readonly ids: string[][];
  readonly deadlineMs: number;
  /** @param requestId for a replay, the id of the request that was accepted first */
  accept(requestId?: string): void;
  /** Answers every request with a fault. */
  refuse(): void;
  fail(code: status, details: string): void;
}

/** A deleter whose answers the test controls. */
class FakeDeleter implements Connection {
  link = (): LinkState => this.state;
  state: LinkState = 'ready';
  isSilent = false;
  isServing = true;
  isClosed = false;
  reads = 0;
  readonly batches: SentBatch[] = [];
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  /** Its id is the address of the deleter that was read. */
  get deletion(): Deletion__Output {
    const state = 'DELETION_STATE_ACCEPTED';
    const times = { acceptedAtMs: 1_000, publishedAtMs: 0, completedAtMs: 0 };
    const jobs = { jobCount: 3, keptJobCount: 0, jobIds: [], caller: '' };
    return { id: this.address, accountId: 'Acme', state, origin: null, ...times, ...jobs };
  }

  get last(): SentBatch {
    return this.batches.at(-1) as SentBatch;
  }

  deleteJobs(requests: DeleteJobsRequest[], deadlineMs: number) {
    return new Promise<readonly DeleteJobsResult__Output[]>((resolve, reject) => {
      const all = (result: object) => resolve(requests.map(() => result as DeleteJobsResult__Output));
      this.batches.push({
        ids: requests.map(({ jobIds }) => jobIds ?? []),
        deadlineMs,
        accept: (requestId = '') => {
          const deletionId = `by ${this.address}`;
          all({ response: { deletionId, replayed: requestId !== '', language: 'en', requestId } });
        },
        refuse: () => all({ error: { code: status.UNAVAILABLE, message: 'no database', details: [] } }),
        fail: (code, details) => reject(Object.assign(new Error(details), { code, details })),
      });
    });
  }

  getDeletion(_deletion: DeletionName, { signal }: ReadLimits) {
    return this.isSilent ? untilCancelled(signal) : Promise.resolve(this.deletion);
  }

  async watchDeletion(_deletion: DeletionName, { signal }: ReadLimits, onState: OnState) {
    if (!this.isSilent) onState(this.deletion);
    await untilCancelled(signal);
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

/** A pool of fake deleters. The test also triggers the ticks. */
export function setUpPool(names: readonly string[] = ['a', 'b', 'c']) {
  const deleters = new Map<string, FakeDeleter>();
  const pool = createPool((address) => {
    const deleter = new FakeDeleter(address);
    deleters.set(address, deleter);
    return deleter;
  });
  pools.push(pool);
  pool.setAddresses(names);
  const deleter = (name: string) => deleters.get(name) as FakeDeleter;
  const outcomes = new Map<string, string>();
  const send = async (id: string, further: Partial<DeleteJobsCall> = {}, timeoutMs = 60_000) => {
    const call = { accountId: 'Acme', jobIds: [id], dryRun: false, idempotencyKey: undefined, origin: {} };
    const [queued, answer] = queueCall({ ...call, ...further }, timeoutMs);
    answer.then(
      (given) =>
        outcomes.set(
          id,
          given.kind === 'accepted'
            ? `${given.replayed ? 'replayed' : 'accepted'} ${given.deletionId}`
            : given.kind,
        ),
      (error: unknown) => outcomes.set(id, asFault(error).code),
    );
    pool.send(queued);
    await turn();
  };
  const tick = async (count: number) => {
    for (let each = 0; each < count; each++) {
      pool.tick();
      await turn();
    }
  };
  /** Makes this deleter answer a batch that is later than all others. */
  const overtake = async (name: string) => {
    await send(`fast${String(deleter(name).batches.length)}`);
    deleter(name).last.accept();
    await turn();
  };
  return { pool, deleter, send, tick, outcomes, overtake };
}
