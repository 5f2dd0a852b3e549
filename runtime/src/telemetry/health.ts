import { createFreshValue } from './fresh-value.ts';

export interface Dependency {
  readonly name: 'database' | 'event_log' | 'deleter';
  /** What keeps it from being used, or undefined. */
  readonly check: () => Promise<string | undefined>;
  /** Whether readiness needs it: always (the default), never, or until it has been up once. */
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

/** Whether the process can do its work now, and if not, for want of what. */
export interface Health {
  /** What the start waits for, and why; undefined once it has come. */
  wait(name: Dependency['name'], reason: string | undefined): void;
  /** From now on the report asks it. @returns asks it by itself: what keeps it from being used, or undefined */
  watch(dependency: Dependency): () => Promise<string | undefined>;
  /** The start is done. */
  run(): void;
  /** Not ready from now on, for good: balancers are to look elsewhere while what is in flight is finished. */
  stop(): void;
  /** Called when `stop` is; at once if it has been. */
  onStop(listener: () => void): void;
  report(): Promise<HealthReport>;
}

/** Probes come every few seconds, from several places, and give up after one. */
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
    // Two parts of one process may need the same thing, each over a connection of its own.
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
      const ask = createAsk(check);
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

/** While an answer is awaited that takes long, the last reason is told again, rather than that it takes long. */
function createAsk(check: Dependency['check']): () => Promise<string | undefined> {
  const get = createFreshValue({ read: check, freshMs, patienceMs });
  let lastReason: string | undefined;
  return async () => {
    const answer = await get();
    switch (answer.kind) {
      case 'value':
        return (lastReason = answer.value);
      case 'failed':
        return (lastReason = answer.error instanceof Error ? answer.error.message : String(answer.error));
      case 'late':
        return lastReason ?? `no answer within ${String(patienceMs)} ms`;
    }
  };
}
