import { parseArgs } from 'node:util';
import { usePlainAbort } from './plain-abort.ts';
import { drawPlan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

const usage = `npm run simulate -- [--seeds N] [--from S] [--first] [--quiet] [--huge] [--bugs]

Plays histories of the whole service, each decided by its seed, and checks every guarantee.
  --seeds N   how many (default: 1000)
  --from S    the first seed (default: 1)
  --first     ends at the first seed that fails
  --quiet     prints a failure without its story
  --huge      plays with 30 gateways, 100 apis, 100 workers and 1,000 accounts
  --bugs      plants each of the known bugs in turn, and prints which seed finds it`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    first: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    huge: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
// The faults are many, and nobody reads their stacks.
Error.stackTraceLimit = 0;
usePlainAbort();
const [from, seeds] = [Number(values.from), Number(values.seeds)];
if (!(from >= 0 && seeds >= 1)) throw new Error(`--from and --seeds must be numbers\n\n${usage}`);
if (values.help) console.log(usage);
else if (values.bugs) {
  const { findBugs } = await import('./find-bugs.ts');
  if (!(await findBugs(seeds))) process.exitCode = 1;
} else if (!(await play())) process.exitCode = 1;

async function play(): Promise<boolean> {
  const sum = { accepted: 0, refused: 0, unknown: 0, removed: 0, steps: 0 };
  let failures = 0;
  let played = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const plan = drawPlan(seed, values.huge);
    const result = await simulate(plan);
    played += 1;
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += result[name];
    if (result.problem === undefined) continue;
    failures += 1;
    console.log(`seed ${String(seed)} (${plan.kind}): ${result.problem}`);
    if (!values.quiet) {
      const shortest = await shrink(plan, result.problem);
      console.log((await simulate(shortest)).story.join('\n'));
    }
    if (values.first) break;
  }
  const counts = Object.entries(sum).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  console.log(`${String(played)} seeds, ${String(failures)} failed: ${counts.join(', ')}`);
  return failures === 0;
}
