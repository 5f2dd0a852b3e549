/** Returns TEST_SEED, or a new seed. Prints it, to run a failed test again. */
export function testSeed(suite: string): number {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${suite}: TEST_SEED=${String(seed)}\n`);
  return seed;
}
