// node test/run-suites.js RUN [arguments of jest]: runs the suites that test/suites.js lists for this run.
import { spawnSync } from 'node:child_process';
import { suites } from './suites.js';

const [run = 'test', ...jestArguments] = process.argv.slice(2);
const names = suites.filter(({ runs }) => runs.includes(run)).map(({ name }) => name);
if (names.length === 0) throw new Error(`test/suites.js lists no suites for the run ${run}`);
// The suites of `npm test` wait more than they compute; others start whole clusters.
const workers = run === 'test' ? '3' : '2';
const { status } = spawnSync(
  process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    ...['node_modules/jest/bin/jest.js', '--selectProjects', ...names, '--maxWorkers', workers],
    ...jestArguments,
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
