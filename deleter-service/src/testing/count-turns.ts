/** Counts the turns of the event loop: what lets others have theirs sees the number go up. */
export function countTurns(): { readonly now: () => number; stop(): void } {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  return { now: () => turns, stop: () => clearImmediate(timer) };
}
