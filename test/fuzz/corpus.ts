import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';

/** A line of a corpus is one input: its bytes as the characters of a JSON string. */
const fileOf = (target: string) => join(root, 'test', 'fuzz', 'corpus', `${target}.txt`);

export function readCorpus(target: string): Buffer[] {
  const file = fileOf(target);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'latin1').split('\n');
  return lines.filter((line) => line !== '').map((line) => Buffer.from(JSON.parse(line) as string, 'latin1'));
}

export function writeCorpus(target: string, inputs: readonly Buffer[]): void {
  const lines = new Set(inputs.map(escaped));
  writeFileSync(fileOf(target), [...lines].map((line) => `${line}\n`).join(''));
}

/** Returns the bytes as a JSON string of ASCII. */
export function escaped(input: Buffer): string {
  return JSON.stringify(input.toString('latin1')).replace(
    /[\x7f-\xff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
