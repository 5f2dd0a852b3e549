import type { HealthAnswer } from './ask-health.ts';

/** Everything here counts ticks, not time: a pause of the gateway's own process counts as one tick. */
export const tickMs = 100;

/** An answer that takes longer than this is missing: 1 s. */
export const patienceTicks = 10;

const restTicks = 2;
const healthTimeoutMs = 10_000;

export type Health =
  | { readonly kind: 'serving' }
  | { readonly kind: 'not-serving'; readonly reason: string }
  /** The health answer is missing for `silentTicks` so far, or came too late. */
  | { readonly kind: 'silent'; readonly silentTicks: number };

export interface HealthWatch {
  /** Asks again when it is time. To be called every `tickMs` while the connection is up. */
  tick(): void;
  health(): Health;
}

/** Asks for the health every 300 ms, one question at a time. Counts as serving until it is known. */
export function watchHealth(ask: (timeoutMs: number) => Promise<HealthAnswer>): HealthWatch {
  let known: Health = { kind: 'serving' };
  /** Since the question that has no answer yet. */
  let waitedTicks: number | undefined;
  let restedTicks = restTicks;

  const begin = async () => {
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
        if (restedTicks++ >= restTicks) void begin();
        return;
      }
      waitedTicks += 1;
      if (waitedTicks >= patienceTicks) known = { kind: 'silent', silentTicks: waitedTicks };
    },
    health: () => known,
  };
}
