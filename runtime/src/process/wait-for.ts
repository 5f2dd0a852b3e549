import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../fault.ts';
import type { Dependency, Health } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import { StartupError } from '../startup-error.ts';

/** Opens what the process depends on, as often as it takes. @throws what `open` throws, when waiting is of no use */
export type WaitFor = <Result>(name: Dependency['name'], open: () => Promise<Result>) => Promise<Result>;

/** For files: one that can't be used now is for the operator to see to. */
export const atOnce: WaitFor = (_name, open) => open();

export interface WaitOptions {
  readonly health: Pick<Health, 'wait'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** For all that is waited for together, from now on; 0 for one attempt. */
  readonly timeoutMs: number;
}

const longestPauseMs = 5_000;

/**
 * In a cluster everything starts at the same time, and a database after the service that needs it is no error. What
 * another attempt won't change is thrown at once: wrong configuration, wrong credentials, missing indexes.
 */
export function createWaitFor({ health, log, timeoutMs }: WaitOptions): WaitFor {
  const deadlineMs = performance.now() + timeoutMs;
  return async (name, open) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const opened = await open();
        if (attempt > 1) log.info({ dependency: name, attempt }, 'what the start has waited for is there');
        health.wait(name, undefined);
        return opened;
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0 || !isTransient(error)) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        const pauseMs = Math.ceil(Math.min(leftMs, pauseAfter(attempt)));
        health.wait(name, reason);
        log.warn({ dependency: name, attempt, reason, pauseMs }, 'the start waits for what it depends on');
        await delay(pauseMs);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  if (error instanceof StartupError) return error.isTransient;
  return error instanceof Fault && error.code !== 'internal';
}

/** 125 to 250 ms, doubled each time, up to 5 s: replicas that start together are not to ask together. */
function pauseAfter(attempt: number): number {
  const ceilingMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempt - 1, 10));
  return ceilingMs * (0.5 + Math.random() / 2);
}
