import type { Whereabouts } from './sent-requests.ts';

export interface Gate extends Whereabouts {
  /** The service answers there. */
  open(baseUrl: string): void;
  /** The service is down: clients wait. */
  shut(): void;
  /** Clients finish what they have begun. */
  end(): void;
}

/** Tells the clients where the service is, and keeps them waiting while it is nowhere. */
export function createGate(): Gate {
  let baseUrl: string | undefined;
  let waiting: ((baseUrl: string) => void)[] = [];
  let goesOn = true;
  return {
    goesOn: () => goesOn,
    baseUrl: () =>
      new Promise((resolve) => {
        if (baseUrl === undefined) waiting.push(resolve);
        else resolve(baseUrl);
      }),
    open: (url) => {
      baseUrl = url;
      for (const resolve of waiting) resolve(url);
      waiting = [];
    },
    shut: () => {
      baseUrl = undefined;
    },
    end: () => {
      goesOn = false;
    },
  };
}
