import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { lockFile } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import { testIf } from '@jobs-delete/runtime/testing/test-if';
import { publint } from 'publint';
import ts from 'typescript';
import { reapChildren } from '../harness/spawn-child.ts';
import { spawnServe } from '../harness/spawn-serve.ts';
import { readDocument, root } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';

const newPath = temporaryFolder();
/** An empty folder, in which npm has installed both packages without a network. */
const folder = dirname(newPath('package.json'));
const client = join(folder, 'node_modules/@jobs-delete/client');
const cli = join(folder, 'node_modules/@jobs-delete/cli');
const bundle = join(cli, 'dist/jobs-delete.cjs');
const archives: Record<string, string> = {};
let profile: string;
let demoJobs = 10;
/** Returns jobs of the demo account that no other test deletes. */
const nextJobs = () => [`DEMO00${String(demoJobs++)}`, `DEMO00${String(demoJobs++)}`];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const workspace of ['client', 'cli/caller']) {
    const printed = await runCommand('npm', ['pack', `./${workspace}`, '--pack-destination', folder], {
      cwd: root,
    });
    archives[workspace] = join(folder, printed.trim().split('\n').at(-1) ?? '');
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await runCommand('npm', ['install', '--offline', '--no-audit', ...Object.values(archives)], {
    cwd: folder,
  });

  const dataDir = dirname(newPath('data'));
  await spawnServe(dataDir, { args: ['--demo'] }).ready;
  profile = join(dataDir, 'demo.json');
});
afterAll(reapChildren);

describe('the packages', () => {
  test('have no tests, and no files but those that callers need', () => {
    const unwanted = /\.spec\.|\.fixture\.|tsconfig|tsbuildinfo/;
    expect(filesOf(client).filter((file) => unwanted.test(file))).toEqual([]);
    expect(new Set(filesOf(client).map((file) => file.split('/')[0]))).toEqual(
      new Set(['LICENSE', 'README.md', 'api', 'dist', 'package.json', 'src']),
    );
    expect(filesOf(cli).sort()).toEqual([
      ...['LICENSE', 'README.md', 'dist/jobs-delete.cjs', 'dist/third-party-licences.txt', 'package.json'],
    ]);
  });

  test.each([client, cli])('have the licence and need no other package: %s', (installed) => {
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readDocument('LICENSE'));
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty(
      'dependencies',
    );
    expect(readdirSync(join(folder, 'node_modules/@jobs-delete')).sort()).toEqual(['cli', 'client']);
  });

  test('the source maps of the client lead to its sources', () => {
    const maps = filesOf(client).filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(5);
    const missing = maps.flatMap((file) => {
      const { sources } = JSON.parse(readFileSync(join(client, file), 'utf8')) as { sources: string[] };
      return sources.filter((source) => !existsSync(join(client, dirname(file), source)));
    });
    expect(missing).toEqual([]);
  });

  test.each([client, cli])('publint finds nothing: %s', async (pkgDir) => {
    expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([]);
  });

  test('TypeScript finds the types of the client, in modules and with bundlers', async () => {
    const attw = join(root, 'node_modules/.bin/attw');
    const printed = await runCommand(attw, ['--profile', 'esm-only', archives.client ?? ''], { cwd: root });
    expect(printed).toContain('🟢');
  });

  test('a strict TypeScript program compiles with the client', () => {
    const file = join(folder, 'consumer.ts');
    writeFileSync(file, consumer);
    expect(compile(file)).toEqual([]);
    writeFileSync(file, consumer.replace('acceptedJobs: number', 'acceptedJobs: string'));
    expect(compile(file)).toContain("Type 'number' is not assignable to type 'string'.");
  });
});

describe('the command', () => {
  test('contains no part of a server', () => {
    const metafile = join(root, 'cli/caller/dist/metafile.json');
    const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as { inputs: object };
    const packages = Object.keys(inputs).map(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/')[0] ?? '',
    );
    const own = ['accounts', 'cli', 'client', 'proto', 'runtime'];
    const formats = ['@nodable/entities', 'anynum', 'csv-parse', 'fast-xml-builder', 'fast-xml-parser'];
    const ofFormats = ['is-unsafe', 'path-expression-matcher', 'strnum', 'xml-naming'];
    const terminal = ['ansi-regex', 'cli-progress', 'commander', 'emoji-regex', 'is-fullwidth-code-point'];
    expect([...new Set(packages)].sort()).toEqual(
      [...own, ...formats, ...ofFormats, ...terminal, 'string-width', 'strip-ansi', 'zod'].sort(),
    );
  });

  test('runs with npx', async () => {
    const printed = await runCommand('npx', ['--no', '--', 'jobs-delete', '--version'], { cwd: folder });
    const { version } = JSON.parse(readDocument('cli/caller/package.json')) as { version: string };
    expect(printed).toBe(`${version}\n`);
    const help = await runCommand('npx', ['--no', '--', 'jobs-delete', '--help'], { cwd: folder });
    expect(help).toMatch(/^Usage: jobs-delete .*^ {2}delete /ms);
    expect(help).not.toContain('serve');
  });
});

describe('on this release of Node', () => deletes(process.execPath));
describeWith('node 22', 'the packages on Node 22', (node) => {
  deletes(node);
  locks(node);
});
describeWith('node 24', 'the packages on Node 24', (node) => {
  deletes(node);
  locks(node);
});

const canBeExecutable = readFileSync(process.execPath).includes('NODE_SEA_FUSE_');
describe('the executable', () => {
  testIf(canBeExecutable, 'deletes jobs without Node', async () => {
    const printed = await runCommand(process.execPath, ['cli/caller/executable.js'], { cwd: root });
    const executable = printed.trim().split('\n').at(-1) ?? '';
    const args = ['delete', ...nextJobs(), '--profile', profile, '--wait'];
    expect(await runCommand(executable, args, { env: { PATH: '' } })).toContain(
      'Deleted 2 jobs in 1 request',
    );
  });
});

function deletes(node: string): void {
  test.each([
    ['import', `import { JobsDeleteClient } from '@jobs-delete/client';`],
    [
      'require',
      `import { createRequire } from 'node:module';
       const { JobsDeleteClient } = createRequire(import.meta.url)('@jobs-delete/client');`,
    ],
  ])('the client deletes jobs, loaded by %s', async (name, load) => {
    const program = join(folder, `${name}.mjs`);
    writeFileSync(program, `${load}${script}`);
    const printed = await runCommand(node, [program, profile, ...nextJobs()], { cwd: folder });
    expect(printed).toBe('2 []\n');
  });

  test('the command deletes jobs, and warns only where Node cannot lock the journal', () => {
    const args = [bundle, 'delete', ...nextJobs(), '--profile', profile, '--wait'];
    const { stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
    expect(stdout).toContain('Deleted 2 jobs in 1 request');
    const release = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
    const warning = 'This release of Node cannot lock a journal: run only one command with it at a time.\n';
    const lines = stderr.replace(/^To continue after an interruption, .*\n/m, '');
    expect(lines).toBe(release.startsWith('v20.') ? warning : '');
  });
}

function locks(node: string): void {
  test('the command refuses a journal that another process uses', async () => {
    const journal = newPath('run.journal');
    mkdirSync(dirname(journal));
    const args = [bundle, 'delete', ...nextJobs(), '--profile', profile, '--journal', journal];
    const unlock = lockFile(`${journal}.lock`);
    if (unlock === 'locked') throw new Error('locked');
    await expect(runCommand(node, args)).rejects.toThrow('Another process uses the journal');
    unlock();
    expect(await runCommand(node, args)).toContain('Queued 2 jobs in 1 request');
  });
}

function filesOf(installed: string): string[] {
  return readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed, join(entry.parentPath, entry.name)));
}

function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    types: [],
    skipDefaultLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const script = `
import { readFileSync } from 'node:fs';
const [profile, ...jobIds] = process.argv.slice(2);
const { base_url, token, secret_key, origin } = JSON.parse(readFileSync(profile, 'utf8'));
const options = { baseUrl: base_url, token, secretKey: secret_key, origin, userAgent: 'shop/1.0' };
const { acceptedJobs, refused } = await new JobsDeleteClient(options).deleteJobs(jobIds);
console.log(acceptedJobs, refused);
`;

const consumer = `
import { IncompleteError, JobsDeleteClient, ProblemError, type ClientOptions, type Report } from '@jobs-delete/client';
const options: ClientOptions = {
  baseUrl: 'http://localhost:8080', token: 't', secretKey: 's', origin: 'https://example.com', userAgent: 'shop/1.0',
};
export async function run(): Promise<number> {
  try {
    const report: Report = await new JobsDeleteClient(options).deleteJobs(['NURSE001'], { onRefusal: 'split' });
    const acceptedJobs: number = report.acceptedJobs;
    return acceptedJobs;
  } catch (error) {
    if (error instanceof IncompleteError && error.cause instanceof ProblemError) return error.cause.status;
    throw error;
  }
}
`;
