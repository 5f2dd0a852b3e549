import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import type { Coverage, Sample } from './coverage.ts';
import { mutate } from './mutate.ts';

/** A reader of hostile input, and an independent judge of what it does. */
export interface Target {
  readonly name: string;
  /** Inputs to begin with. A text is sent in UTF-8. */
  readonly seeds: readonly string[];
  /** Parts of the format, for the mutations. */
  readonly words: readonly string[];
  /** Returns what the reader does with the input, such as `accepted: A, B`. It throws nothing. */
  run(input: Buffer): string | Promise<string>;
  /**
   * Returns the right outcome by the documentation. Shares no code with the reader. Where the documentation allows several
   * outcomes, returns the reader's own.
   */
  judge(input: Buffer, outcome: string): string;
}

export interface Finding {
  readonly input: Buffer;
  readonly problem: string;
  /** How many inputs were tried before. */
  readonly after: number;
}

export interface FuzzReport {
  readonly inputs: number;
  /** The mutations that reached code that nothing before them reached. */
  readonly reaching: readonly Buffer[];
  readonly findings: readonly Finding[];
  /** For each second of processor time. */
  readonly inputsPerSecond: number;
}

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly coverage: Coverage;
  /** Inputs that are always tried. */
  readonly corpus: readonly Buffer[];
  /** Called before each run of an input. */
  readonly onInput?: (input: Buffer) => void;
}

/** After this many findings, the target ends: one bug has many inputs. */
const maxFindings = 3;
const batchSize = 200;
const maxPool = 1_000;
/** The readers of the services run up to 11 blocks for a byte, csv-parse 60. Quadratic work runs hundreds. */
const maxBlocks = ({ length }: Buffer) => 3_000 + 200 * length;

/**
 * Tries the seeds, the corpus, and mutations of both. Mutates further what reaches code that nothing before it reached,
 * or has another outcome. The same options give the same inputs.
 */
export async function fuzz(reader: Target, options: FuzzOptions): Promise<FuzzReport> {
  const target: Target = {
    ...reader,
    run: (input) => {
      options.onInput?.(input);
      return reader.run(input);
    },
  };
  const random = createSeededRandom(options.seed);
  const words = target.words.map((word) => Buffer.from(word));
  const first = [...target.seeds.map((seed) => Buffer.from(seed)), ...options.corpus];
  const pool = [...first];
  /** The inputs that have reached fresh code. Half of the mutations begin here, because the pool fills with inputs that only have another outcome. */
  const basis = [...first];
  const outcomes = new Set<string>();
  const reaching: Buffer[] = [];
  const findings: Finding[] = [];
  const addToPool = (input: Buffer) => {
    pool[pool.length < maxPool ? pool.length : random.below(maxPool)] = input;
  };
  let inputs = 0;

  const tryAll = async (batch: readonly Buffer[]) => {
    for (const input of batch) {
      const outcome = await outcomeOf(target, input);
      const problem = problemOf(target, input, outcome);
      if (problem !== undefined && findings.length < maxFindings)
        findings.push({ ...(await shrink(target, { input, problem })), after: inputs });
      const kind = outcome.slice(0, 200).replace(/\d+/g, '0');
      if (outcomes.size < maxPool && !outcomes.has(kind)) {
        outcomes.add(kind);
        addToPool(input);
      }
      inputs++;
    }
  };
  const drawBatch = () => {
    if (findings.length >= maxFindings) return [];
    const length = Math.max(0, Math.min(batchSize, options.inputs - inputs));
    return Array.from({ length }, () => mutate(random, random.below(2) === 0 ? pool : basis, words));
  };

  // The first run of a reader initializes what later runs share.
  for (const input of first) await outcomeOf(target, input);
  const { coverage } = options;
  coverage.forget();
  const cpu = process.cpuUsage();
  for (let batch = first; batch.length > 0; batch = drawBatch()) {
    await tryAll(batch);
    for (const { input, isSlow } of await keepers(target, coverage, batch, coverage.sample())) {
      basis.push(input);
      if (isSlow) findings.push({ input, problem: 'it takes too much work for its length', after: inputs });
      else if (batch !== first) reaching.push(input);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  return { inputs, reaching, findings, inputsPerSecond: (inputs / (user + system)) * 1e6 };
}

interface Keeper {
  readonly input: Buffer;
  readonly isSlow: boolean;
}

/**
 * Returns the inputs of a batch that reach fresh code, or take too much work. Runs halves of the batch again. A slow input shows
 * if its batch is slow as a whole, or reaches fresh code.
 */
async function keepers(
  target: Target,
  coverage: Coverage,
  batch: readonly Buffer[],
  sample: Sample,
): Promise<Keeper[]> {
  const allowedBlocks = batch.map(maxBlocks).reduce((sum, blocks) => sum + blocks, 0);
  const isSlow = sample.blocks > allowedBlocks;
  if (sample.fresh.size === 0 && !isSlow) return [];
  const [input] = batch;
  if (input === undefined || batch.length === 1) {
    coverage.add(sample);
    return input === undefined ? [] : [{ input, isSlow }];
  }
  const kept: Keeper[] = [];
  const middle = batch.length >> 1;
  for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
    for (const each of half) await outcomeOf(target, each);
    kept.push(...(await keepers(target, coverage, half, coverage.sample())));
  }
  // A cache of the reader may hide the fresh code from the second run.
  coverage.add(sample);
  return kept;
}

/** Returns what is wrong with the outcome of an input. */
function problemOf(target: Target, input: Buffer, outcome: string): string | undefined {
  if (outcome.startsWith(thrown)) return outcome;
  const expected = target.judge(input, outcome);
  return expected === outcome ? undefined : `the judge says «${expected}», and the reader «${outcome}»`;
}

const thrown = 'it throws ';

function outcomeOf(target: Target, input: Buffer): string | Promise<string> {
  const explain = (error: unknown) => thrown + ((error as Error | undefined)?.stack ?? String(error));
  try {
    const outcome = target.run(input);
    return typeof outcome === 'string' ? outcome : outcome.catch(explain);
  } catch (error) {
    return explain(error);
  }
}

/** Removes parts of an input, as long as something is wrong with the rest. */
async function shrink(target: Target, found: Omit<Finding, 'after'>): Promise<Omit<Finding, 'after'>> {
  let smallest = found;
  for (let length = found.input.length >> 1; length > 0; length >>= 1) {
    for (let at = 0; at < smallest.input.length;) {
      const input = Buffer.concat([smallest.input.subarray(0, at), smallest.input.subarray(at + length)]);
      const problem = problemOf(target, input, await outcomeOf(target, input));
      if (problem === undefined) at += length;
      else smallest = { input, problem };
    }
  }
  return smallest;
}
