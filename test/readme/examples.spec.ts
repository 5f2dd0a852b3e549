import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { exampleJobIds, exampleVariables } from '@jobs-delete/gateway/http/documents/docs-page/examples';
import { type TestAccount } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { describeWith } from '../servers/describe-with.ts';
import { runCommand } from '../servers/child-process.ts';
import { root } from './readme.ts';

const newPath = temporaryFolder();
const service = useService({ BASE_PATH: '/api' });
let account: TestAccount;
beforeAll(async () => {
  account = await service.operator.createAccount('shop');
  await service.operator.importJobs('shop', exampleJobIds);
  // Before the first request: the gateway keeps the domains of an account for 5 s.
  await service.operator.accounts.allowDomain('shop', exampleVariables.JOBS_DELETE_ORIGIN);
});

describeWith('curl', 'the curl examples', () => runs((folder) => [['bash', `${folder}/delete-jobs.sh`]]));
describe('the JavaScript examples', () =>
  runs((folder) => [[process.execPath, `${folder}/delete-jobs.mjs`]]));
describeWith('python', 'the Python examples', (python) =>
  runs((folder) => [[python, `${folder}/delete-jobs.py`]]),
);
describeWith('php', 'the PHP examples', (php) => runs((folder) => [[php, `${folder}/delete-jobs.php`]]));
describeWith('mono', 'the C# examples', (mcs) =>
  runs((folder) => {
    const output = newPath('csharp');
    mkdirSync(output, { recursive: true });
    const program = join(output, 'DeleteJobs.exe');
    return [
      [mcs, '-r:System.Net.Http.dll', `-out:${program}`, `${folder}/DeleteJobs.cs`],
      ['mono', program],
    ];
  }),
);
describeWith('java', 'the Java examples', (java) => runs((folder) => [[java, `${folder}/DeleteJobs.java`]]));
describeWith('go', 'the Go examples', (go) => runs((folder) => [[go, 'run', `${folder}/delete-jobs.go`]]));

describe('the examples of the clients and of the command', () => {
  const folder = join(root, 'gateway/examples/clients');
  const env = () => ({
    JOBS_DELETE_URL: service.baseUrl,
    JOBS_DELETE_TOKEN: account.token,
    JOBS_DELETE_SECRET_KEY: account.secretKey,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
  });
  const cwd = newPath('cwd');
  beforeAll(() => void mkdirSync(cwd, { recursive: true }));

  test('the JavaScript one checks two jobs', async () => {
    const example = `${folder}/delete-all.mjs`;
    expect(await runCommand(process.execPath, [example], { cwd, env: env() })).toBe('2 []\n');
  });

  test('the one for a shell checks two jobs', async () => {
    const printed = await runCommand('bash', [`${folder}/delete-all.sh`], { cwd, env: env() });
    expect(printed).toContain('Nothing was deleted: this was the sandbox.');
  });
});

/** @param commandsOf returns the commands that run the example in a folder. Only the last one prints. */
function runs(commandsOf: (folder: string) => readonly (readonly string[])[]): void {
  const run = async (format: string, token: string, baseUrl = service.baseUrl) => {
    const env = {
      JOBS_DELETE_URL: baseUrl,
      JOBS_DELETE_TOKEN: token,
      JOBS_DELETE_SECRET_KEY: account.secretKey,
      JOBS_DELETE_ORIGIN: account.origin,
    };
    const commands = commandsOf(join(root, 'gateway/examples', format));
    for (const [program = '', ...args] of commands.slice(0, -1)) await runCommand(program, args);
    const [program = '', ...args] = commands.at(-1) ?? [];
    return runToEnd(program, args, env);
  };

  test.each(['json', 'xml'])('the example for %s prints the answer', async (format) => {
    const { code, answer } = await run(format, account.token);
    expect([code, answer]).toEqual([
      0,
      {
        status: 'The jobs are queued for processing.',
        processed_jobs: 2,
        results: exampleJobIds.map((id) => ({
          job_id: id,
          status: 'success',
          message: `Job ${id} is queued for processing.`,
        })),
      },
    ]);
    for (const id of exampleJobIds)
      expect((await service.operator.store.findJob('shop', id))?.deletionId).toBeUndefined();
  });

  test.each(['json', 'xml'])('the example for %s prints a refusal, and fails', async (format) => {
    const { code, answer } = await run(format, 'wrong');
    expect(code).not.toBe(0);
    expect(answer).toMatchObject({ status: 403, code: 'token_invalid' });
  });

  test.each(['json', 'xml'])(
    'the example for %s retries as Retry-After says, with one key',
    async (format) => {
      const server = await startBusyServer();
      const { code, answer } = await run(format, account.token, server.baseUrl);
      await server.stop();
      expect([code, answer]).toEqual([0, { processed_jobs: 2 }]);
      const [first, second, third] = server.requests;
      expect(server.requests).toHaveLength(3);
      expect(first?.headers['idempotency-key']).toMatch(/^[\w-]{15,}$/);
      for (const request of [second, third]) {
        expect(request?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
        expect(request?.body).toBe(first?.body);
      }
      // A timer of another program may be some milliseconds early. Without Retry-After, the wait is less than 2 seconds.
      expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(1_950);
    },
  );
}

function runToEnd(program: string, args: readonly string[], env: Record<string, string>) {
  return new Promise<{ code: number | string | null | undefined; answer: unknown }>((resolve, reject) => {
    execFile(
      program,
      args,
      { env: { ...process.env, ...env }, timeout: 120_000 },
      (error, stdout, stderr) => {
        try {
          resolve({ code: error === null ? 0 : error.code, answer: JSON.parse(stdout) as unknown });
        } catch {
          reject(new Error(`${program} has printed no JSON: ${stdout}\n${stderr}`));
        }
      },
    );
  });
}

interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** Starts a server that answers 503 with a Retry-After of 2 seconds, then loses a connection, then answers 200. */
async function startBusyServer() {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      requests.push({ headers: request.headers, body, atMs: performance.now() });
      if (requests.length === 1) response.writeHead(503, { 'Retry-After': '2' }).end('{"status": 503}');
      else if (requests.length === 2) request.socket.destroy();
      else response.writeHead(200).end('{"processed_jobs": 2}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { baseUrl: `http://127.0.0.1:${String(port)}`, requests, stop };
}
