import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { URL, fileURLToPath } from 'node:url';

// The first run installs the dependencies that only the bench needs; `npm ci` at the root does not. The installation
// prints to stderr: stdout is for the figures.
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(`${folder}node_modules`)) run('npm', ['ci', '--no-audit', '--prefix', folder]);
run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
const { main } = await import('../dist/bench/main.js');
await main(process.argv.slice(2));
