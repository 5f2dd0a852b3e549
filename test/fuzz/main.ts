import { parseArgs } from 'node:util';
import { startCoverage } from './coverage.ts';
import { escaped, readCorpus, writeCorpus } from './corpus.ts';
import { fuzz } from './fuzz.ts';
import { watchForHang } from './watch-for-hang.ts';

const coverage = startCoverage();
const { targets } = await import('./targets.ts');

const usage = `npm run fuzz -- [options]
  --target NAME  one of ${targets.map(({ name }) => name).join(', ')}; default: each of them
  --inputs N     inputs of each target; default: 1000000
  --seed N       draws the same inputs again; default: a random one
  --keep         writes the inputs that reach more code to test/fuzz/corpus
`;

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = targets.filter(({ name }) => values.target === undefined || values.target === name);
const [inputs, seed] = [Number(values.inputs), Number(values.seed)];
if (values.help || chosen.length === 0 || !(inputs > 0) || !Number.isInteger(seed)) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}

const onInput = watchForHang();
process.stdout.write(`seed ${seed}\n${row('target', 'inputs', 'inputs/s', 'corpus', 'findings')}`);
for (const target of chosen) {
  const corpus = readCorpus(target.name);
  const report = await fuzz(target, { inputs, seed, corpus, coverage, onInput });
  const { findings, inputsPerSecond } = report;
  const size = target.seeds.length + corpus.length + report.reaching.length;
  const figures = [report.inputs, Math.round(inputsPerSecond), size, findings.length];
  process.stdout.write(row(target.name, ...figures.map((figure) => figure.toLocaleString('en'))));
  for (const { input, problem, after } of findings)
    process.stdout.write(`  seed ${seed}, after ${after} inputs: ${escaped(input)}\n  ${problem}\n`);
  const added = [...findings.map(({ input }) => input), ...(values.keep ? report.reaching : [])];
  if (added.length > 0) writeCorpus(target.name, [...corpus, ...added]);
  if (findings.length > 0) process.exitCode = 1;
}

function row(name: string, ...figures: string[]): string {
  return `${name.padEnd(20)}${figures.map((figure) => figure.padStart(12)).join('')}\n`;
}
