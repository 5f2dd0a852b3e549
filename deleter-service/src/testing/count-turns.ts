/** Counts the turns of the event loop: the number grows while code yields to others. */
export function countTurns(): { readonly now: () => number; stop(): void } {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  return { now: () => turns, stop: () => clearImmediate(timer) };
}
