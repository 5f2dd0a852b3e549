import type { Whereabouts } from './sent-requests.ts';

export interface Gate extends Whereabouts {
  /** Lets waiting clients continue at this address. */
  open(baseUrl: string): void;
  /** Makes clients wait: the service is down. */
  shut(): void;
  /** Stops new requests. Clients finish those that they have begun. */
  end(): void;
}

/** Gives the clients the address of the service, and makes them wait while it is down. */
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
