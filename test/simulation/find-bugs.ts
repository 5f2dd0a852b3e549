import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from '../readme/readme.ts';
import { bugs, type Bug } from './bugs.ts';

/** A bug may hang the simulation. Less than the limit of a test, which would leave the child running. */
const timeoutMs = 800_000;

/** Runs the simulation with the bug in it. Returns the first seed that finds it. @throws Error if its text is gone */
export async function findBug(bug: Bug, seeds: number): Promise<number | undefined> {
  const compiled = pathToFileURL(join(root, bug.file.replace('/src/', '/dist/').replace(/ts$/, 'js'))).href;
  const planted = JSON.stringify({ format: 'module', shortCircuit: true, source: compile(bug) });
  const hooks = `export const load = (url, context, next) => url === ${JSON.stringify(compiled)} ? ${planted} : next(url, context);`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hooks))});`;
  const { stdout, stderr } = await spawnSimulation(
    ['--seeds', String(seeds), '--first', '--quiet'],
    ['--import', asModule(register)],
  );
  const seed = /^seed (\d+)/m.exec(stdout)?.[1];
  if (seed !== undefined) return Number(seed);
  if (!stdout.includes(' 0 failed')) throw new Error(`'${bug.name}' ends the simulation: ${stderr}`);
  return undefined;
}

/** Runs `npm run simulate` in a child process. */
export async function spawnSimulation(options: readonly string[], nodeOptions: readonly string[] = []) {
  const start = join(root, 'test/dist/simulation/start.js');
  const command = [...nodeOptions, start, ...options];
  const child = spawn(process.execPath, command, { timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status: child.exitCode };
}

/** Returns the compiled module with the bug. @throws Error if its text is not there, once */
export function compile({ name, file, from, to }: Bug): string {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`the text of '${name}' is not once in ${file}`);
  const { outputText } = ts.transpileModule(
    source.replace(from, () => to),
    {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        rewriteRelativeImportExtensions: true,
      },
    },
  );
  return outputText;
}

function asModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Prints a line for each bug. Returns whether all are found. */
export async function findBugs(seeds: number): Promise<boolean> {
  let found = 0;
  for (const bug of bugs) {
    const seed = await findBug(bug, seeds);
    if (seed !== undefined) found += 1;
    console.log(`${seed === undefined ? 'not found' : `seed ${String(seed)}`.padStart(9)}  ${bug.name}`);
  }
  console.log(`${String(found)} of ${String(bugs.length)} bugs found within ${String(seeds)} seeds`);
  return found === bugs.length;
}
