import { messageOf } from '../fault.ts';
import { withTimeLimit } from '../time/clock.ts';

export interface Dependency {
  readonly name: 'database' | 'event_log' | 'deleter';
  /** Returns why the dependency cannot be used; undefined if it can. */
  readonly check: () => Promise<string | undefined>;
  /** When readiness needs it: always (true, the default), never (false), or until it has been up once. */
  readonly required?: boolean | 'until-up';
}

export interface HealthReport {
  readonly ready: boolean;
  readonly phase: 'starting' | 'running' | 'stopping';
  readonly dependencies: Readonly<Record<string, DependencyReport>>;
}

export interface DependencyReport {
  readonly up: boolean;
  readonly required: boolean;
  readonly reason?: string;
}

/** Health of the process: whether it can work, and if not, why. */
export interface Health {
  /** Records why the start waits for a dependency; undefined when it is up. */
  wait(name: Dependency['name'], reason: string | undefined): void;
  /** Adds a dependency to the report. Returns a function that checks it alone, with the same cache. */
  watch(dependency: Dependency): () => Promise<string | undefined>;
  /** Marks the start as complete. */
  run(): void;
  /** Reports not ready from now on, so that load balancers send no new requests while the process drains. */
  stop(): void;
  /** Calls the listener on `stop`; at once if it has stopped. */
  onStop(listener: () => void): void;
  report(): Promise<HealthReport>;
}

/** Probes arrive every few seconds from several sources and time out after 1 s. */
const freshMs = 1_000;
const patienceMs = 500;

export function createHealth(): Health {
  const waits = new Map<string, string>();
  const watched: Watched[] = [];
  const listeners: (() => void)[] = [];
  let phase: HealthReport['phase'] = 'starting';

  const report = async (): Promise<HealthReport> => {
    const dependencies: Record<string, DependencyReport> = {};
    for (const [name, reason] of waits) dependencies[name] = { up: false, required: true, reason };
    const reasons = await Promise.all(watched.map(({ ask }) => ask()));
    // Two parts of a process may check the same dependency over separate connections.
    for (const [index, dependency] of watched.entries()) {
      const { name } = dependency;
      if (reasons[index] === undefined) dependency.hasBeenUp = true;
      const reason = dependencies[name]?.reason ?? reasons[index];
      const isRequired = needs(dependency) || dependencies[name]?.required === true;
      dependencies[name] = {
        up: reason === undefined,
        required: isRequired,
        ...(reason !== undefined && { reason }),
      };
    }
    const isFit = Object.values(dependencies).every(({ up, required }) => up || !required);
    return { ready: phase === 'running' && isFit, phase, dependencies };
  };

  return {
    wait: (name, reason) => {
      if (reason === undefined) waits.delete(name);
      else waits.set(name, reason);
    },
    watch: ({ name, check, required = true }) => {
      const ask = createCheck(check);
      watched.push({ name, required, ask, hasBeenUp: false });
      return ask;
    },
    run: () => {
      if (phase === 'starting') phase = 'running';
    },
    stop: () => {
      if (phase === 'stopping') return;
      phase = 'stopping';
      for (const listener of listeners) listener();
    },
    onStop: (listener) => {
      if (phase === 'stopping') listener();
      else listeners.push(listener);
    },
    report,
  };
}

interface Watched {
  readonly name: string;
  readonly required: boolean | 'until-up';
  readonly ask: () => Promise<string | undefined>;
  hasBeenUp: boolean;
}

function needs({ required, hasBeenUp }: Watched): boolean {
  return required === 'until-up' ? !hasBeenUp : required;
}

/** A check that is late repeats the last reason, which says more than a timeout. */
function createCheck(check: Dependency['check']): () => Promise<string | undefined> {
  const get = createFreshValue({ read: check, freshMs, patienceMs });
  let lastReason: string | undefined;
  return async () => {
    const answer = await get();
    switch (answer.kind) {
      case 'value':
        return (lastReason = answer.value);
      case 'failed':
        return (lastReason = messageOf(answer.error));
      case 'late':
        return lastReason ?? `no answer within ${String(patienceMs)} ms`;
    }
  };
}

interface FreshValueOptions<Value> {
  readonly read: () => Promise<Value>;
  /** How long an answer is reused. */
  readonly freshMs: number;
  /** How long a caller waits for a new answer. */
  readonly patienceMs: number;
}

export type Answer<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Caches an answer for probes and scrapes: at most one `read` runs at a time, and no caller waits longer than `patienceMs`. */
export function createFreshValue<Value>(options: FreshValueOptions<Value>): () => Promise<Answer<Value>> {
  const { read, freshMs, patienceMs } = options;
  let latest: { readonly answer: Answer<Value>; readonly atMs: number } | undefined;
  let pending: Promise<Answer<Value>> | undefined;

  const refresh = async (): Promise<Answer<Value>> => {
    let answer: Answer<Value>;
    try {
      answer = { kind: 'value', value: await read() };
    } catch (error) {
      answer = { kind: 'failed', error };
    }
    latest = { answer, atMs: performance.now() };
    pending = undefined;
    return answer;
  };

  return async () => {
    if (latest !== undefined && performance.now() - latest.atMs < freshMs) return latest.answer;
    pending ??= refresh();
    return withTimeLimit(pending, patienceMs, () => ({ kind: 'late' }) as const);
  };
}
