import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../fault.ts';
import type { Dependency, Health } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import { StartupError } from '../startup-error.ts';

/** Retries `open` until the dependency is up. @throws what `open` throws, on a permanent error or after the timeout */
export type WaitFor = <Result>(name: Dependency['name'], open: () => Promise<Result>) => Promise<Result>;

/** Makes one attempt. For files: only the operator can fix one that cannot be used. */
export const atOnce: WaitFor = (_name, open) => open();

export interface WaitOptions {
  readonly health: Pick<Health, 'wait'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** The limit for all waits together, counted from creation; 0 for one attempt. */
  readonly timeoutMs: number;
}

const longestPauseMs = 5_000;

/**
 * Retries transient errors with backoff: in a cluster the database may start after the service. Throws permanent
 * errors at once, such as wrong credentials or missing indexes.
 */
export function createWaitFor({ health, log, timeoutMs }: WaitOptions): WaitFor {
  const deadlineMs = performance.now() + timeoutMs;
  return async (name, open) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const opened = await open();
        if (attempt > 1) log.info({ dependency: name, attempt }, 'the dependency is up');
        health.wait(name, undefined);
        return opened;
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (leftMs <= 0 || !isTransient(error)) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        const pauseMs = Math.ceil(Math.min(leftMs, pauseAfter(attempt)));
        health.wait(name, reason);
        log.warn({ dependency: name, attempt, reason, pauseMs }, 'the start waits for a dependency');
        await delay(pauseMs);
      }
    }
  };
}

function isTransient(error: unknown): boolean {
  if (error instanceof StartupError) return error.isTransient;
  return error instanceof Fault && error.code !== 'internal';
}

/** Returns 125 to 250 ms, doubled each time, up to 5 s. The jitter spreads replicas that start together. */
function pauseAfter(attempt: number): number {
  const ceilingMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempt - 1, 10));
  return ceilingMs * (0.5 + Math.random() / 2);
}
