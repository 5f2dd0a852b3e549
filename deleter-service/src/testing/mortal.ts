import { Fault } from '@jobs-delete/runtime/fault';
import type { EventLog } from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';

/** The process dies at this call of its store or log: before it is done, or when it is done and not answered. */
export interface Crash {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** What one life of a process has of the store and the log, which outlive it. */
export interface Mortal {
  readonly store: Store;
  readonly eventLog: EventLog;
  isDead(): boolean;
  calls(): number;
}

/** From its death on, nothing that the process asks for is done, and no batch that it has counts as processed. */
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
        // Between the end of the handler and the log's record of it there is a moment to die in.
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
