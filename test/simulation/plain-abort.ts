/** An `AbortSignal` with all that the simulated services use of it. The one of Node takes a tenth of the simulation's time. */
class PlainSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** For `events.setMaxListeners`. */
  setMaxListeners(): void {
    // A leak is no concern here.
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

const aborted = new DOMException('This operation was aborted', 'AbortError');

class PlainController {
  readonly signal = new PlainSignal();

  abort(reason: unknown = aborted): void {
    this.signal.abort(reason);
  }
}

/** Replaces the `AbortController` of this process. */
export function usePlainAbort(): void {
  Object.assign(globalThis, { AbortController: PlainController });
}
