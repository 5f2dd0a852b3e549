/** The seed of this run, TEST_SEED or a new one. It is printed, so that what has failed can be run again. */
export function testSeed(suite: string): number {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${suite}: TEST_SEED=${String(seed)}\n`);
  return seed;
}
