import type { HealthAnswer } from '@jobs-delete/proto/ask-health';

/** The pool counts ticks, not time: a pause of the gateway's own process counts as one tick. */
export const tickMs = 100;

/** A health check without an answer for this long counts as silence: 1 s. */
export const patienceTicks = 10;

const restTicks = 2;
const healthTimeoutMs = 10_000;

export type Health =
  | { readonly kind: 'serving' }
  | { readonly kind: 'not-serving'; readonly reason: string }
  /** The answer is missing for `silentTicks` so far, or arrived too late. */
  | { readonly kind: 'silent'; readonly silentTicks: number };

export interface HealthWatch {
  /** Sends a health check when it is due. Called every `tickMs` while the connection is up. */
  tick(): void;
  health(): Health;
}

/** Sends a health check every 300 ms, one at a time. Before the first answer, the deleter counts as serving. */
export function watchHealth(ask: (timeoutMs: number) => Promise<HealthAnswer>): HealthWatch {
  let known: Health = { kind: 'serving' };
  /** Time since the health check in flight; undefined when there is none. */
  let waitedTicks: number | undefined;
  let restedTicks = restTicks;

  const check = async () => {
    waitedTicks = 0;
    const answer = await ask(healthTimeoutMs);
    const isLate = waitedTicks >= patienceTicks;
    waitedTicks = undefined;
    restedTicks = isLate ? restTicks : 0;
    if (isLate || answer.kind === 'no-answer') return;
    known = answer.kind === 'serving' ? answer : { kind: 'not-serving', reason: answer.reason };
  };

  return {
    tick: () => {
      if (waitedTicks === undefined) {
        if (restedTicks++ >= restTicks) void check();
        return;
      }
      waitedTicks += 1;
      if (waitedTicks >= patienceTicks) known = { kind: 'silent', silentTicks: waitedTicks };
    },
    health: () => known,
  };
}
