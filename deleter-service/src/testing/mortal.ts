import { Fault } from '@jobs-delete/runtime/fault';
import type { EventLog } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';

/** The process dies at this call of its store or log: before the call, or after it and before its answer. */
export interface Crash {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** Store and log as one process uses them until its death. Both outlive the process. */
export interface Mortal {
  readonly store: Store;
  readonly eventLog: EventLog;
  isDead(): boolean;
  calls(): number;
}

/** Wraps store and log: after the death no call has an effect, and no batch counts as processed. */
export function mortal(store: Store, eventLog: EventLog, crash: Crash | undefined): Mortal {
  let calls = 0;
  let dead = false;

  const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const fatal = !dead && ++calls === crash?.call;
    if (fatal && crash.when === 'before') dead = true;
    requireLife();
    const result = await call();
    if (fatal) dead = true;
    requireLife();
    return result;
  };
  const requireLife = () => {
    if (dead) throw new Fault('unknown-outcome', 'the process has died');
  };
  const stepwise = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>;
        return (...values: unknown[]) => step(() => method(...values));
      },
    });

  const consume: EventLog['consume'] = (topic, group, handle) =>
    step(() =>
      eventLog.consume(topic, group, async (events, batch) => {
        requireLife();
        await handle(events, batch);
        // The process may also die after the handler and before the log records the batch.
        await step(() => Promise.resolve());
      }),
    );
  return {
    store: stepwise(store),
    eventLog: { ...stepwise(eventLog), consume },
    isDead: () => dead,
    calls: () => calls,
  };
}
