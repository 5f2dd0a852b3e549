import { afterAll, describe, expect, test } from '@jest/globals';
import { escaped, readCorpus } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { fuzz, type Target } from './fuzz.ts';

// The readers of files throw for each wrong record, and a stack takes longer than the record.
Error.stackTraceLimit = 0;
const coverage = startCoverage();
afterAll(() => coverage.stop());
const { targets } = await import('./targets.ts');
const { jsonBody } = await import('./targets/json-body.ts');

const findingsOf = async (target: Target, inputs = 20_000) => {
  const corpus = readCorpus(target.name);
  const { findings } = await fuzz(target, { inputs, seed: 1, corpus, coverage });
  return findings.map(({ input, problem }) => ({ input: escaped(input), problem }));
};

describe('20,000 mutations and the corpus', () => {
  test.each(targets)('$name: the reader does what its judge says', async (target) => {
    expect(await findingsOf(target)).toEqual([]);
  });
});

describe('the fuzzer', () => {
  test('reports an outcome that the judge does not expect, with a short input', async () => {
    const judge = (input: Buffer, outcome: string) =>
      outcome === 'refused: too_many_jobs' ? 'accepted: all' : jsonBody.judge(input, outcome);
    const [finding] = await findingsOf({ ...jsonBody, judge });
    expect(finding?.problem).toBe('the judge says «accepted: all», and the reader «refused: too_many_jobs»');
    expect(finding?.input.length).toBeLessThan(100);
  });

  test('reports an input for which the reader throws, without its other parts', async () => {
    const run = (input: Buffer) => {
      if (input.includes('NaN')) throw new Error('not a number');
      return jsonBody.run(input);
    };
    const [finding] = await findingsOf({ ...jsonBody, run });
    expect(finding?.input).toBe('"NaN"');
    expect(finding?.problem).toMatch(/^it throws Error: not a number/);
  });

  test('reports an input that takes work that grows with the square of its length', async () => {
    const run = (input: Buffer) => {
      const outcome = jsonBody.run(input);
      input.forEach(() => void jsonBody.run(input));
      return outcome;
    };
    const [finding] = await findingsOf({ ...jsonBody, run });
    expect(finding?.problem).toBe('it takes too much work for its length');
  });
});
