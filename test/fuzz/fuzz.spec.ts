import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';
import { escaped, readCorpus } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { fuzz, type Target } from './fuzz.ts';

const coverage = startCoverage();
afterAll(() => coverage.stop());
const { jsonBody } = await import('./targets/json-body.ts');

// V8 reports the coverage of all code of a process. That of a worker of jest is large, and the report slow.
test('20,000 mutations and the corpus: each reader does what its judge says', () => {
  const main = join(root, 'test/dist/fuzz/main.js');
  const options = ['--inputs', '20000', '--seed', '1'];
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...options], {
    encoding: 'utf8',
    // An input that hangs a reader fails the test.
    timeout: 900_000,
  });
  const findings = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect({ findings, stderr, status }).toEqual({ findings: [], stderr: '', status: 0 });
});

describe('the fuzzer', () => {
  const findingsOf = async (target: Target) => {
    const corpus = readCorpus(target.name);
    const { findings } = await fuzz(target, { inputs: 20_000, seed: 1, corpus, coverage });
    return findings.map(({ input, problem }) => ({ input: escaped(input), problem }));
  };

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
