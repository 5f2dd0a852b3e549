import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { Pool } from '@jobs-delete/gateway/deleter/pool';
import { readDeletion, type DeletionStatus } from '@jobs-delete/gateway/deleter/repeated-calls';
import { tickMs } from '@jobs-delete/gateway/deleter/replica';
import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import type { Network } from './network.ts';
import type { Asked } from './oracle.ts';
import { nothing, type Process } from './world.ts';

export const requestTimeoutMs = 10_000;
/** Less than in production, so that deadlines pass during faults. A sick api may hold a read for over 3 s. */
const readTimeoutMs = 5_000;

/** The part of a gateway that calls apis. */
export class Gateway {
  readonly process: Process;
  readonly pool: Pool;
  // A turn of the event loop takes no time here.
  readonly #reads = createFairSemaphore({ maxRunning: 32, maxWaiting: 1_000, maxPerTurn: Infinity });

  /** @param isAsking false while no caller waits: then the pool is not called, which takes less time */
  constructor(process: Process, network: Network, apis: readonly string[], isAsking: () => boolean) {
    this.process = process;
    this.pool = new Pool(network.connect(process), process.clock);
    this.pool.setAddresses(apis);
    this.#tick(isAsking);
  }

  send(asked: Asked): Promise<Outcome> {
    const { clock } = this.process;
    return new Promise((resolve) => {
      const giveUp = this.pool.send(toRequest(asked), clock.now() + requestTimeoutMs, resolve);
      void clock
        .sleep(requestTimeoutMs)
        .then(() => giveUp(new Fault('unknown-outcome', 'deleter: no answer in time')));
    });
  }

  /** Resolves to undefined when the account has no such deletion. */
  read(accountId: string, deletionId: string): Promise<DeletionStatus | Fault | undefined> {
    const options = {
      replicas: () => this.pool.replicas(),
      reads: this.#reads,
      timeoutMs: readTimeoutMs,
      clock: this.process.clock,
    };
    return readDeletion({ accountId, deletionId, waitMs: 0 }, options).catch(asFault);
  }

  #tick(isAsking: () => boolean): void {
    const tick = () => {
      const isNeeded = isAsking();
      if (isNeeded) this.pool.tick();
      this.#tick(isAsking);
      return isNeeded ? undefined : nothing;
    };
    this.process.world.after(tickMs, () => this.process.deliver(tick));
  }
}

export function toRequest({ accountId, jobIds, deletionId, key }: Asked) {
  return { accountId, jobIds: [...jobIds], deletionId, idempotencyKey: key ?? '' };
}
