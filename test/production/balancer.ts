import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { createGate } from '../durability/gate.ts';
import type { Whereabouts } from '../durability/sent-requests.ts';

type Gateway = { readonly baseUrl: string };

export interface Balancer {
  /** Takes a gateway in. */
  add(gateway: Gateway): void;
  /** Takes it out: it is about to die. */
  remove(gateway: Gateway): void;
  /** Clients finish what they have begun. */
  end(): void;
  /** For one client, which thinks for a while before each of its requests. */
  client(random: SeededRandom, thinkMs: number): Whereabouts;
}

/** Each request goes to the next gateway that is up, as a load balancer sends it; while none is, it waits. */
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
    client: (random, thinkMs) => ({
      goesOn: () => gate.goesOn(),
      baseUrl: async () => {
        if (gate.goesOn()) await delay(random.fraction() * 2 * thinkMs);
        const anyUp = await gate.baseUrl();
        return up[turn++ % up.length]?.baseUrl ?? anyUp;
      },
    }),
  };
}
