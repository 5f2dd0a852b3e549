import { HealthImplementation } from 'grpc-health-check';
import type { Clock } from '@jobs-delete/runtime/time/clock';

export interface GrpcHealthOptions {
  /** What keeps the service from being used, or undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the asking. */
  readonly signal: AbortSignal;
}

/** As a whole, and by name: https://github.com/grpc/grpc/blob/master/doc/health-checking.md */
const servedNames = ['', 'jobs.deleter.v1.DeleterService'];

const everyMs = 1_000;

/** grpc.health.v1 with what the store says; those who watch are told within a second. */
export function createGrpcHealth({ check, clock, signal }: GrpcHealthOptions) {
  const implementation = new HealthImplementation();
  const stopping = new AbortController();
  const ended = AbortSignal.any([signal, stopping.signal]);
  const hasEnded = () => ended.aborted;
  let last: string | undefined;
  const tell = (status: 'SERVING' | 'NOT_SERVING') => {
    if (status === last) return;
    last = status;
    for (const name of servedNames) implementation.setStatus(name, status);
  };
  const follow = async () => {
    while (!hasEnded()) {
      const reason = await check();
      if (hasEnded()) return;
      tell(reason === undefined ? 'SERVING' : 'NOT_SERVING');
      await clock.sleep(everyMs, ended);
    }
  };
  // The store has just been opened.
  tell('SERVING');
  void follow();
  return {
    implementation,
    /** Not serving, for good: callers are to look elsewhere. */
    stop: () => {
      stopping.abort();
      tell('NOT_SERVING');
    },
  };
}
