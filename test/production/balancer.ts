import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { createGate } from '../durability/gate.ts';
import type { Whereabouts } from '../durability/sent-requests.ts';

type Gateway = { readonly baseUrl: string };

export interface Balancer {
  /** Sends requests to this gateway too. */
  add(gateway: Gateway): void;
  /** Sends it no more requests. */
  remove(gateway: Gateway): void;
  /** Ends the clients after their current request. */
  end(): void;
  /** Returns the target for one client, which waits before each request if it has a source of chance. */
  client(random?: SeededRandom, thinkMs?: number): Whereabouts;
}

/** Sends each request to the next running gateway, as a load balancer does. Waits while none runs. */
export function createBalancer(): Balancer {
  const gate = createGate();
  const up: Gateway[] = [];
  let turn = 0;
  return {
    add: (gateway) => {
      up.push(gateway);
      gate.open(gateway.baseUrl);
    },
    remove: (gateway) => {
      const index = up.indexOf(gateway);
      if (index >= 0) up.splice(index, 1);
      if (up.length === 0) gate.shut();
    },
    end: () => gate.end(),
    client: (random, thinkMs = 0) => ({
      goesOn: () => gate.goesOn(),
      baseUrl: async () => {
        if (random !== undefined && gate.goesOn()) await delay(random.fraction() * 2 * thinkMs);
        const anyUp = await gate.baseUrl();
        return up[turn++ % up.length]?.baseUrl ?? anyUp;
      },
    }),
  };
}
