import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { Pool } from '@jobs-delete/gateway/deleter/pool';
import { tickMs } from '@jobs-delete/gateway/deleter/replica';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Network } from './network.ts';
import type { Asked } from './oracle.ts';
import type { Process } from './world.ts';

export const requestTimeoutMs = 10_000;

/** The part of a gateway that sends requests to apis. */
export class Gateway {
  readonly process: Process;
  readonly pool: Pool;

  /** @param isAsking false while no caller waits: then the pool is not called, which takes less time */
  constructor(process: Process, network: Network, apis: readonly string[], isAsking: () => boolean) {
    this.process = process;
    this.pool = new Pool(network.connect(process), process.clock);
    this.pool.setAddresses(apis);
    void this.#tick(isAsking);
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

  async #tick(isAsking: () => boolean): Promise<void> {
    for (;;) {
      await this.process.clock.sleep(tickMs);
      if (isAsking()) this.pool.tick();
    }
  }
}

export function toRequest({ accountId, jobIds, deletionId, key }: Asked) {
  return { accountId, jobIds: [...jobIds], deletionId, idempotencyKey: key ?? '' };
}
