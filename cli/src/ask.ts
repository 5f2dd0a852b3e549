import { createInterface } from 'node:readline';
import type { Io } from './io.ts';
import { Refusal, wrongUsage } from './refusal.ts';

/**
 * Asks on a terminal. Elsewhere, returns at once.
 * @throws Refusal with `refused` for every answer but `y` and `yes`, and where there is a terminal that cannot answer
 */
export async function confirm({ stdin, stderr }: Io, question: string, refused: string): Promise<void> {
  if (!stderr.isTTY) return;
  if (!stdin.isTTY)
    throw wrongUsage('Standard input is not the terminal, so it cannot answer the question. Add --yes.');
  const lines = createInterface({ input: stdin, output: stderr });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(`${question} [y/N] `, resolve);
  });
  lines.close();
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new Refusal(refused);
}
