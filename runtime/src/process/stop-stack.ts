export interface StopStack {
  /** Registers how to undo the step of the start that has just been done. */
  push(name: string, stop: () => void | Promise<void>): void;
  /** Runs what was registered, last first, each once. One that fails does not keep the others from running. */
  stop(): Promise<void>;
}

/**
 * Every start pushes its undoing; a stop, or a start that fails half-way, runs them in reverse order.
 * A second `stop` waits for the first.
 */
export function createStopStack(onError: (name: string, error: unknown) => void): StopStack {
  const steps: { name: string; stop: () => void | Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;

  const unwind = async () => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        onError(step.name, error);
      }
    }
  };

  return {
    push: (name, stop) => {
      steps.push({ name, stop });
    },
    stop: () => (stopping ??= unwind()),
  };
}
