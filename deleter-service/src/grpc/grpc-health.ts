import { HealthImplementation } from 'grpc-health-check';
import type { Clock } from '@jobs-delete/runtime/time/clock';

export interface GrpcHealthOptions {
  /** Resolves to the reason why the service can't be used, or to undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the checks. */
  readonly signal: AbortSignal;
}

/** The whole server, and the service: https://github.com/grpc/grpc/blob/master/doc/health-checking.md */
const servedNames = ['', 'jobs.deleter.v1.DeleterService'];

const everyMs = 1_000;

/** Serves grpc.health.v1 from the check. A change reaches watchers within a second. */
export function createGrpcHealth({ check, clock, signal }: GrpcHealthOptions) {
  const implementation = new HealthImplementation();
  const stopping = new AbortController();
  const ended = AbortSignal.any([signal, stopping.signal]);
  const hasEnded = () => ended.aborted;
  let last: string | undefined;
  const report = (status: 'SERVING' | 'NOT_SERVING') => {
    if (status === last) return;
    last = status;
    for (const name of servedNames) implementation.setStatus(name, status);
  };
  const follow = async () => {
    while (!hasEnded()) {
      const reason = await check();
      if (hasEnded()) return;
      report(reason === undefined ? 'SERVING' : 'NOT_SERVING');
      await clock.sleep(everyMs, ended);
    }
  };
  // The store has just been opened.
  report('SERVING');
  void follow();
  return {
    implementation,
    /** Reports NOT_SERVING from now on: callers use another replica. */
    stop: () => {
      stopping.abort();
      report('NOT_SERVING');
    },
  };
}
