import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'postject';
import './bundle.js';

// Makes a copy of this Node that runs the bundle: a single executable application (https://nodejs.org/api/single-executable-applications.html).

const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
if (!readFileSync(process.execPath).includes(fuse))
  throw new Error(
    `${process.execPath} cannot become an executable: it was built without support. Use nodejs.org’s.`,
  );

const dist = join(import.meta.dirname, 'dist');
const isMac = process.platform === 'darwin';
const executable = join(dist, process.platform === 'win32' ? 'jobs-delete.exe' : 'jobs-delete');
const config = join(dist, 'sea-config.json');
const blob = join(dist, 'sea.blob');

writeFileSync(
  config,
  JSON.stringify({
    main: join(dist, 'jobs-delete.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
  }),
);
execFileSync(process.execPath, ['--experimental-sea-config', config], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
copyFileSync(process.execPath, executable);
chmodSync(executable, 0o755);
// macOS refuses a changed program with its old signature, and one without any.
if (isMac) execFileSync('codesign', ['--remove-signature', executable]);
await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), {
  sentinelFuse: fuse,
  ...(isMac && { machoSegmentName: 'NODE_SEA' }),
});
if (isMac) execFileSync('codesign', ['--sign', '-', executable]);
process.stdout.write(`${executable}\n`);
