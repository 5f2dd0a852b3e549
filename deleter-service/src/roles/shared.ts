import type { StopStack } from '@jobs-delete/runtime/process/stop-stack';
import type { WaitFor } from '@jobs-delete/runtime/process/wait-for';
import type { Health } from '@jobs-delete/runtime/telemetry/health';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import type { Clock, Random } from '@jobs-delete/runtime/time/clock';
import type { DeleterConfig } from '../config.ts';
import type { DeleterMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { DeleterTracing } from '../tracing.ts';

/** The parts that all roles of a process share. */
export interface Shared {
  readonly config: DeleterConfig;
  readonly log: Logger;
  readonly health: Health;
  readonly waitFor: WaitFor;
  /** Each role pushes how it stops. */
  readonly stack: StopStack;
  readonly store: Store;
  /** Resolves to the reason why the database can't be used, or undefined. */
  readonly checkDatabase: () => Promise<string | undefined>;
  readonly metrics: DeleterMetrics;
  readonly tracing: DeleterTracing;
  readonly clock: Clock;
  readonly random: Random;
}

/** Returns a handler that counts and logs each failed attempt. */
export function onRetry({ metrics, log }: Shared, what: 'publication' | 'removal') {
  return (error: unknown, attempt: number): void => {
    metrics.onRetry(what);
    log.warn({ err: error, attempt }, `a ${what} failed and is tried again`);
  };
}
