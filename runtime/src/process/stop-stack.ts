export interface StopStack {
  /** Registers how to undo a completed step of the start. */
  push(name: string, stop: () => void | Promise<void>): void;
  /** Runs each registered step once, last first. Continues after a step that fails. */
  stop(): Promise<void>;
}

/** Creates a stack of stop steps. A second `stop` waits for the first. */
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
