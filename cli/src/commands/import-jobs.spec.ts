import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
beforeEach(() => cli.run('accounts', 'create', 'acme'));

const acme = ['--account', 'acme'];
const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, at) => `{"id":"JOB${String(from + at).padStart(6, '0')}"}\n`,
  ).join('');
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `JOB${String(from + at).padStart(6, '0')}`);

function file(name: string, content: string | Buffer): string {
  const path = join(cli.dataDir(), name);
  writeFileSync(path, content);
  return path;
}
const countJobs = () => cli.withStore((store) => store.countJobs('acme'));

describe('a file', () => {
  const good: Record<string, string> = {
    'jobs.ndjson': '{"id":"AAAA","title":"Dév"}\n{"id":"BBBB","title":"x"}\n',
    'jobs.JSONL': '{"id":"AAAA","title":"Dév"}\n{"id":"BBBB","title":"x"}\n',
    'jobs.json': '{"jobs":{"job":[{"id":"AAAA","title":"Dév"},{"id":"BBBB","title":"x"}]}}',
    'jobs.csv': 'id,title\r\nAAAA,"Dév"\r\nBBBB,x\r\n',
    'jobs.xml':
      '<jobs><job><id>AAAA</id><title>D&#233;v</title></job><job><id>BBBB</id><title>x</title></job></jobs>',
  };

  test.each(Object.keys(good))('%s is imported', async (name) => {
    const path = file(name, good[name] ?? '');
    expect(await cli.json('jobs', 'import', path, ...acme)).toEqual({
      account_id: 'acme',
      imported: 2,
      existing: 0,
    });
    expect(await cli.json('jobs', 'show', 'AAAA')).toMatchObject({
      account_id: 'acme',
      imported_at: '2030-01-02T03:04:05.000Z',
      posting: { title: 'Dév' },
    });
    expect(await countJobs()).toBe(2);
  });

  test('is read from standard input; --format overrides the extension', async () => {
    const piped = await cli.runWith(
      { stdin: good['jobs.csv'] ?? '' },
      'jobs',
      'import',
      '-',
      '--format',
      'csv',
      ...acme,
    );
    expect(piped).toEqual({
      exitCode: 0,
      stdout: 'Imported 2 jobs in 0.0 s; 0 existed already.\n',
      stderr: '',
    });
    const path = file('jobs.txt.csv', good['jobs.json'] ?? '');
    expect(await cli.json('jobs', 'import', path, '--format', 'json', ...acme)).toMatchObject({
      existing: 2,
    });
  });

  test('can be imported again without changing existing jobs', async () => {
    await cli.run('jobs', 'import', file('a.csv', 'id,title\nAAAA,old\n'), ...acme);
    const again = file('b.csv', 'id,title\nAAAA,new\nBBBB,new\nBBBB,newer\n');
    expect((await cli.run('jobs', 'import', again, ...acme)).stdout).toBe(
      'Imported 1 job in 0.0 s; 2 existed already.\n',
    );
    expect(await cli.json('jobs', 'show', 'AAAA')).toMatchObject({ posting: { title: 'old' } });
    expect(await cli.json('jobs', 'show', 'BBBB')).toMatchObject({ posting: { title: 'new' } });
  });

  test('is imported only to its account', async () => {
    await cli.run('accounts', 'create', 'other');
    await cli.run('jobs', 'import', file('a.csv', 'id\nAAAA\n'), '--account', 'other');
    expect(await cli.json('jobs', 'import', file('a.csv', 'id\nAAAA\n'), ...acme)).toMatchObject({
      imported: 1,
    });
  });

  test('without records imports nothing', async () => {
    expect(await cli.json('jobs', 'import', file('a.json', '[]'), ...acme)).toMatchObject({
      imported: 0,
      existing: 0,
    });
  });

  test('that is missing or a directory exits with 1', async () => {
    const missing = join(cli.dataDir(), 'no.csv');
    expect(await cli.run('jobs', 'import', missing, ...acme)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Cannot read ${missing}: the file does not exist.\n`,
    });
    expect(await cli.run('jobs', 'import', cli.dataDir(), '--format', 'csv', ...acme)).toMatchObject({
      exitCode: 1,
      stderr: `Cannot read ${cli.dataDir()}: it is a directory.\n`,
    });
  });
});

describe('an invalid record', () => {
  const bad = `${lines(1, 2_136)}{"id":"no"}\n${lines(2_138, 4_000)}`;
  const problem = "line 2,137: the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not 'no'.\n";
  const again = 'You can run the import again: existing jobs are not changed.\n';

  test('stops the import after whole batches and prints their lines', async () => {
    const path = file('a.ndjson', bad);
    expect(await cli.run('jobs', 'import', path, ...acme)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${path}, ${problem}2,000 jobs were imported (lines 1 to 2,000), and no later ones. ${again}`,
    });
    expect(await countJobs()).toBe(2_000);
    expect(await cli.withStore((store) => store.findJob('acme', 'JOB002001'))).toBeUndefined();
  });

  test('is listed with all others of the file, in JSON too', async () => {
    const path = file('a.csv', `id\nAAAA\n-\nBBBB\n\u0020\n${'!\n'.repeat(200)}`);
    const { exitCode, stdout, stderr } = await cli.run('jobs', 'import', path, ...acme, '--json');
    expect(exitCode).toBe(1);
    const { invalid, ...rest } = JSON.parse(stdout) as {
      invalid: { count: number; first: { line: number }[] };
    };
    expect(rest).toEqual({ account_id: 'acme', imported: 0, existing: 0, complete: false });
    expect([invalid.count, invalid.first.length]).toEqual([202, 100]);
    expect(invalid.first.slice(0, 3).map(({ line }) => line)).toEqual([3, 5, 6]);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(102);
    expect(lines[0]).toMatch(/line 3: the 'id' must be 4 to 128 letters/);
    expect(lines.slice(-2)).toEqual(['102 more invalid records.', 'Nothing was imported.']);
  });

  test('is left out with --skip-invalid', async () => {
    const path = file('a.csv', 'id\nAAAA\n-\nBBBB\n');
    expect(await cli.run('jobs', 'import', path, ...acme, '--skip-invalid')).toEqual({
      exitCode: 0,
      stdout: 'Imported 2 jobs in 0.0 s; 0 existed already. 1 invalid record left out.\n',
      stderr: `${path}, line 3: the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not '-'.\n`,
    });
    expect(await cli.json('jobs', 'import', path, ...acme, '--skip-invalid')).toEqual({
      account_id: 'acme',
      imported: 0,
      existing: 2,
      invalid: { count: 1, first: [{ line: 3, message: expect.stringContaining("not '-'") }] },
    });
  });

  test('does not prevent a second import', async () => {
    await cli.run('jobs', 'import', file('a.ndjson', bad), ...acme);
    const second = await cli.runWith({ stdin: bad }, 'jobs', 'import', '-', '--format', 'ndjson', ...acme);
    expect(second.stderr).toBe(
      `standard input, ${problem}0 jobs were imported and 2,000 existed already (lines 1 to 2,000), and no later ones. ${again}`,
    );
    expect(await cli.json('jobs', 'import', file('a.ndjson', lines(1, 4_000)), ...acme)).toEqual({
      account_id: 'acme',
      imported: 2_000,
      existing: 2_000,
    });
  });

  test('in the first batch imports nothing', async () => {
    const path = file('a.csv', 'id\nAAAA\nB-BB\n');
    expect((await cli.run('jobs', 'import', path, ...acme)).stderr).toBe(
      `${path}, line 3: the 'id' must be 4 to 128 letters and digits (A-Z a-z 0-9), not 'B-BB'.\nNothing was imported.\n`,
    );
    expect(await countJobs()).toBe(0);
  });

  test('may be invalid UTF-8', async () => {
    const path = file('a.csv', Buffer.from('id,title\nAAAA,Dév\n', 'latin1'));
    expect((await cli.run('jobs', 'import', path, ...acme)).stderr).toBe(
      `${path}, line 2: the text is not valid UTF-8.\nNothing was imported.\n`,
    );
  });
});

describe('--dry-run', () => {
  test('checks the whole file and imports nothing', async () => {
    const path = file('a.ndjson', lines(1, 2_500));
    expect(await cli.json('jobs', 'import', path, ...acme, '--dry-run')).toEqual({
      account_id: 'acme',
      imported: 0,
      existing: 0,
      dry_run: true,
      checked: 2_500,
    });
    expect((await cli.run('jobs', 'import', path, ...acme, '--dry-run')).stdout).toBe(
      'Checked 2,500 jobs in 0.0 s: all valid. Nothing was imported: this was a dry run.\n',
    );
    expect(await countJobs()).toBe(0);
  });

  test('finds an invalid record at any position', async () => {
    const path = file('a.ndjson', `${lines(1, 2_500)}{}\n`);
    expect(await cli.run('jobs', 'import', path, ...acme, '--dry-run')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${path}, line 2,501: the record has no 'id'.\nNothing was imported: this was a dry run.\n`,
    });
  });
});

test('an interruption keeps whole batches and prints their lines', async () => {
  const stdin = new PassThrough();
  let interrupt = () => expect(true).toBe(false);
  const onInterrupt = (callback: () => void) => {
    interrupt = callback;
    return () => undefined;
  };
  stdin.write(lines(1, 2_500));
  const running = cli.runWith({ stdin, onInterrupt }, 'jobs', 'import', '-', '--format', 'ndjson', ...acme);
  while ((await countJobs()) < 2_000) await delay(5);
  interrupt();
  const { exitCode, stdout, stderr } = await running;
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(stderr).toMatch(
    /^Interrupted\. 2,000 jobs were imported \(lines 1 to 2,000\), and no later ones\. /,
  );
  expect(await countJobs()).toBe(2_000);
});

test('postings are stored unchanged, whatever their text', async () => {
  const posting = {
    a: '\u0000"\\\ud800',
    '': { __proto__: null, b: [1, 1e300, -0.5, true, null] },
    é: '😀\u2028',
  };
  const path = file('a.ndjson', `${JSON.stringify({ ...posting, id: ids(1, 1)[0] })}\n`);
  await cli.run('jobs', 'import', path, ...acme);
  const job = await cli.withStore((store) => store.findJob('acme', 'JOB000001'));
  expect(JSON.stringify(job?.posting)).toBe(JSON.stringify(posting));
});
