import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, readDocument, root } from './readme.ts';

const readme = readDocument('README.md');
const api = readDocument('docs/http-api.md');
const commandLine = readDocument('docs/command-line.md');
const [run, runTests, ...examples] = codeBlocks('sh', readme);

/** test/client/python.spec.ts executes the one in Python. */
test.each([
  ['README.md', readme],
  ['docs/http-api.md', api],
  ['docs/command-line.md', commandLine],
])('every block of %s is executed here, or is its answer', (_name, text) => {
  const languages = [...text.matchAll(/^```(.*)\n[^]*?^```$/gm)].map(([, language]) => language);
  expect(languages.filter((language) => !['sh', 'json', 'js', 'python'].includes(language ?? ''))).toEqual(
    [],
  );
  expect([...codeBlocks('js', text), ...codeBlocks('python', text)]).toHaveLength(text === readme ? 2 : 0);
});

test('the README starts with the two commands, which package.json has', () => {
  expect([run, runTests]).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
  const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']));
});

describe('the examples', () => {
  let folder: string;
  let service: ChildProcess;
  let printed = '';
  const env = {
    ...process.env,
    PORT: '0',
    DASHBOARD_PORT: '0',
    GRPC_PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
  };

  const shell = (script: string) =>
    spawnSync('sh', ['-eu', '-c', script], { cwd: folder, env, encoding: 'utf8' });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jobs-delete-readme-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    service = spawn('npm', ['start', '--', '--reset-demo'], {
      cwd: root,
      env: { ...env, DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      service.once('exit', () => reject(new Error(`npm start ended early: ${printed}`)));
      service.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('Then: ')) resolve();
      });
    });
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    if (service.pid !== undefined) process.kill(-service.pid, 'SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });

  test('the example in JavaScript deletes two jobs', () => {
    const [example = ''] = codeBlocks('js', readme);
    writeFileSync(join(folder, 'example.mjs'), example);
    expect(shell('node example.mjs')).toMatchObject({ stderr: '', stdout: '2\n' });
  });

  test('the command that npm start prints deletes two jobs when pasted', () => {
    const command = /^curl [\s\S]*?\n(?=\n)/m.exec(printed)?.[0] ?? '';
    const { stdout } = shell(command);
    expect(stdout).toContain('200 OK');
    expect(stdout).toContain('"processed_jobs":2');
  });

  test('run in their order, each with the outcome that the text describes', () => {
    const waitUntilGone = `until npx jobs-delete deletions list --json | node -e '
      const list = JSON.parse(require("fs").readFileSync(0, "utf8"));
      process.exit(JSON.stringify(list).includes("completed_at\\":null") ? 1 : 0)'; do :; done`;
    const all = [...examples, ...codeBlocks('sh', api), ...codeBlocks('sh', commandLine)];
    const script = all.flatMap((example) =>
      example.includes('jobs show') ? [waitUntilGone, example] : [example],
    );
    const { stdout, stderr, status } = shell(script.join('\n'));
    expect({ stderr, status }).toMatchObject({ status: 0 });
    const answers = [...codeBlocks('json', readme), ...codeBlocks('json', api)];
    expect(answers).toHaveLength(4);
    const withoutIds = stdout
      .replace(/urn:uuid:[0-9a-f-]+/g, 'urn:uuid:REQUEST-ID')
      .replace(
        /"(token|secret_key)":\{"id":"[0-9a-f]+"/g,
        (_, name: string) => `"${name}":{"id":"${name === 'token' ? 'TOKEN' : 'SECRET-KEY'}-ID"`,
      )
      .replace(/"deletion_id":"[0-9a-f-]+"/, '"deletion_id":"DELETION-ID"')
      .replace(/"(accepted_at|completed_at)":"[0-9T:.-]+Z"/g, '"$1":"TIME"');
    for (const answer of answers) expect(withoutIds).toContain(JSON.stringify(JSON.parse(answer)));
    expect(stdout).toContain('Job DEMO0012 is queued');
    expect(stdout).toContain('does not exist');
    expect(stdout).toContain('Sandbox: true');
    expect(stdout).toContain('Idempotent-Replayed: true');
    expect(stdout).toContain('"state":"cancelled","jobs":1');
    expect(stdout).toContain("The account has no job 'DEMO0028'");
    expect(stdout).toMatch(/jdt_[0-9a-f_]+/);
    expect(stdout).toContain('2 jobs');
    expect(existsSync(join(folder, 'jobs.csv'))).toBe(true);
    const deleted = stdout.match(/(?:Queued|Deleted) \d+ jobs? in /g);
    expect(deleted).toHaveLength(6);
    expect(deleted?.at(-1)).toBe('Deleted 10 jobs in ');
    expect(stdout).toContain('Deleted 2 jobs in 1 request; 0 refused, 0 open.\n');
    expect(stdout).toContain('Nothing was deleted: this was the sandbox.');
    expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toMatch(
      /^"NOSUCHJOB","refused","","job_not_found",/m,
    );
  });

  test('the rehearsal of the documentation page shows each answer', () => {
    const { stdout, stderr, status } = shell(readDocument('gateway/examples/rehearse.sh'));
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const [, removed, replayed, repeated, cancelled] = stdout.split(/^== /m);
    expect(removed).toContain('"state":"completed"');
    expect(replayed).toContain('Idempotent-Replayed: true');
    expect(repeated).toMatch(/^HTTP\/1\.1 404 .*"code":"job_not_found"/ms);
    expect(cancelled).toContain('"state":"cancelled"');
  });
});
