import { createLoadShedder } from '../load-shedder.ts';

const mebibyte = 1_048_576;
const defaults = { minConcurrent: 64, maxConcurrent: 1_024, maxBufferedBytes: 256 * mebibyte };

/** Simulated time: `run` executes the scheduled actions in their order and sets the clock to their times. */
function createTimeline() {
  let nowMs = 0;
  const events: { readonly atMs: number; readonly act: () => void }[] = [];
  return {
    now: () => nowMs,
    at: (atMs: number, act: () => void) => {
      let index = events.length;
      while (index > 0 && (events[index - 1]?.atMs ?? 0) > atMs) index -= 1;
      events.splice(index, 0, { atMs, act });
    },
    run: (untilMs: number) => {
      for (let event = events.shift(); event !== undefined; event = events.shift()) {
        if (event.atMs > untilMs) break;
        nowMs = event.atMs;
        event.act();
      }
    },
  };
}

type Timeline = ReturnType<typeof createTimeline>;

/** A deleter that works on `slots` requests at a time. Each takes `ms`; the others queue. */
function createSimulatedDeleter({ now, at }: Timeline) {
  const deleter = { slots: 32, ms: 20 };
  const queue: { readonly factor: number; readonly onDone: () => void }[] = [];
  let busy = 0;
  const work = () => {
    while (busy < deleter.slots) {
      const next = queue.shift();
      if (next === undefined) return;
      busy += 1;
      at(now() + deleter.ms * next.factor, () => {
        next.onDone();
        busy -= 1;
        work();
      });
    }
  };
  const serve = (factor: number, onDone: () => void) => {
    queue.push({ factor, onDone });
    work();
  };
  return { deleter, serve };
}

/** A load shedder before a simulated deleter. Results do not depend on how busy the machine is. */
export function createWorld(overrides: Partial<typeof defaults> = {}) {
  const timeline = createTimeline();
  const { now, at, run } = timeline;
  const { deleter, serve } = createSimulatedDeleter(timeline);
  const shedder = createLoadShedder({ ...defaults, ...overrides, now });
  const latencies: { readonly atMs: number; readonly ms: number }[] = [];
  let refused = 0;

  const arrive = (onAnswered: () => void = () => undefined, factor = 1, bytes = 100) => {
    const admission = shedder.startAdmission();
    if (shedder.isFull() || !admission.hold(bytes) || !admission.enter()) {
      refused += 1;
      admission.leave();
      return;
    }
    const atMs = now();
    serve(factor, () => {
      latencies.push({ atMs, ms: now() - atMs });
      admission.served();
      admission.leave();
      onAnswered();
    });
  };

  /** Requests at a steady rate: `factor` times the deleter's throughput. */
  const load = (fromMs: number, untilMs: number, factor: number) => {
    const gapMs = deleter.ms / deleter.slots / factor;
    const arriveFrom = (atMs: number) =>
      at(atMs, () => {
        arrive();
        if (atMs + gapMs < untilMs) arriveFrom(atMs + gapMs);
      });
    arriveFrom(fromMs);
  };

  const p99 = (fromMs: number, untilMs: number) => {
    const sorted = latencies
      .filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return { ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN, count: sorted.length };
  };

  return { shedder, deleter, now, at, run, arrive, load, p99, refused: () => refused };
}
