import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { audit } from '../durability/audit.ts';
import { numberedIds } from '../durability/scene.ts';
import { attempt, type SentRequest } from '../durability/sent-requests.ts';
import { callerHeaders, jsonBody, send, xmlBody, xmlPath } from '../harness/http-client.ts';
import { testPrograms, type User } from '../harness/programs.ts';
import { reapReplicas, runJobsDelete } from '../harness/spawn-roles.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { dropCluster, readClusterAftermath, untilClusterSettled } from '../production/cluster-aftermath.ts';
import { createCluster, setClusterScene } from '../production/cluster.ts';
import { root as checkout } from '../readme/readme.ts';
import { describeWith } from '../servers/describe-with.ts';
import { copyDockerContext } from './docker-context.ts';

/** Files that a checkout may have, and an image must not. */
const secrets = ['.env', '.env.production', 'gateway/.env', 'data/credential-pepper', 'data/demo.json'];
const leftovers = ['coverage/index.html', 'gateway/dist/stale.js', 'cli/dist/main.spec.js', 'notes.txt'];

const dockerfile = readFileSync(join(checkout, 'deploy/Dockerfile'), 'utf8');
const newPath = temporaryFolder();
const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-image-'));
const tree = join(folder, 'app');
const found = unprivilegedUser();
const user = typeof found === 'object' ? found : undefined;
let built: ReadonlyMap<string, string>;

reapAfterEach();

beforeAll(() => {
  copyDockerContext(checkout, tree, [...secrets, ...leftovers]);
  // Like a checkout that only its owner may read.
  execFileSync('chmod', ['-R', 'go=', tree]);
  execFileSync('sh', ['-c', 'umask 077; exec deploy/build-tree.sh'], {
    cwd: tree,
    // Leaves out the tests' NODE_ENV.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_prefer_offline: 'true' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  execFileSync('chmod', ['-R', 'a-w', tree]);
  chmodSync(folder, 0o755);
  testPrograms({ root: tree, ...(user && { user }) });
  if (typeof found === 'string')
    process.stderr.write(`\n!!! The image's tree is NOT run as an unprivileged user: ${found}.\n\n`);
  built = listTree(tree);
});

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true });
});

describe('the contents of the image', () => {
  const own = () => [...built.keys()].filter((path) => !/(?:^|\/)node_modules\//.test(path));
  const packages = [
    'runtime',
    'proto',
    'accounts',
    'client',
    'gateway',
    'deleter-service',
    'dashboard',
    'cli',
  ];

  test('is only the programs, their packages and the license', () => {
    const atTheTop = ['LICENSE', 'README.md', 'node_modules', 'package-lock.json', 'package.json'];
    expect(
      own()
        .filter((path) => !path.includes('/'))
        .sort(),
    ).toEqual([...atTheTop, ...packages].sort());
    const below = packages.flatMap((name) => own().filter((path) => path.startsWith(`${name}/`)));
    const allowed =
      /\/(?:package\.json|node_modules|dist|dist\/.*\.js|bin|bin\/jobs-delete\.js)$|^proto\/(?:.*\.proto|schemas\/.*\.json)$|^(?:gateway\/examples|gateway\/public|dashboard\/public)\/.*$/;
    const isFolder = (path: string) => statSync(join(tree, path)).isDirectory();
    expect(below.filter((path) => !isFolder(path) && !allowed.test(path))).toEqual([]);
  });

  test('has no tests, no sources, and no other files of a checkout', () => {
    const unwanted =
      /(?:^|\/)(?:src|test|tests|testing|contract|data|coverage)(?:\/|$)|\.(?:ts|map|tsbuildinfo)$|\.(?:spec|contract|fixture)\b|(?:^|\/)\.|stale/;
    expect(own().filter((path) => unwanted.test(path))).toEqual([]);
  });

  test('has no development package', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const installed = [...built.keys()].map(
      (path) => /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(path)?.[1],
    );
    // Production packages depend on these.
    const wanted = Object.keys(devDependencies).filter(
      (name) => !name.startsWith('@types/') && name !== 'protobufjs',
    );
    expect(wanted).toEqual(expect.arrayContaining(['jest', 'typescript']));
    expect(wanted.filter((name) => installed.includes(name))).toEqual([]);
  });

  test('has everything that it imports', () => {
    // Browsers run the scripts in `public`.
    const scripts = own().filter((path) => path.endsWith('.js') && !path.includes('/public/'));
    const missing = execFileSync(
      process.execPath,
      [join(checkout, 'test/deploy/missing-imports.js'), ...scripts.map((path) => join(tree, path))],
      { encoding: 'utf8' },
    );
    expect(scripts.length).toBeGreaterThan(100);
    expect(JSON.parse(missing)).toEqual([]);
  });

  test('is readable for every user', () => {
    const closed = [...built].filter(([, state]) => (parseInt(state, 8) & 0o444) !== 0o444);
    expect(closed.map(([path]) => path)).toEqual([]);
  });
});

describe('as an unprivileged user, on a read-only root file system', () => {
  test('jobs-delete is on the path, by the link in the Dockerfile', () => {
    const [, target = '', link = ''] = /^RUN ln -s \/app\/(\S+) (\S+)$/m.exec(dockerfile) ?? [];
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(join(tree, target), join(bin, basename(link)));
    const PATH = [bin, dirname(process.execPath), process.env.PATH].join(':');
    const { stdout, status } = spawnSync('jobs-delete', ['--help'], {
      ...user,
      cwd: tree,
      env: { PATH },
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^Usage: jobs-delete /);
    expect(status).toBe(0);
  });

  test('serve --demo accepts JSON and XML, the command shows the deletions, and SIGTERM ends it with exit code 0', async () => {
    const dataDir = newPath('data');
    const serve = spawnServe(dataDir, { args: ['--demo'] });
    const baseUrl = await serve.ready;
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<string, string>;
    const account = {
      accountId: demo.account_id ?? '',
      token: demo.token ?? '',
      secretKey: demo.secret_key ?? '',
      origin: demo.origin ?? '',
    };
    const answers = [
      await send(baseUrl, { headers: callerHeaders(account), body: jsonBody(['DEMO0010', 'DEMO0011']) }),
      await send(baseUrl, {
        path: xmlPath,
        headers: callerHeaders(account, 'xml'),
        body: xmlBody(['DEMO0012']),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await send(baseUrl, { method: 'GET', path: '/docs' })).status).toBe(200);
    const link = new URL(/^Dashboard: sign in once with (\S+)$/m.exec(serve.stdout())?.[1] ?? '');
    expect(await createTestBrowser(link.origin).get(link.pathname)).toMatchObject({ status: 200 });

    const env = { DATA_DIR: dataDir };
    for (const { headers } of answers) {
      const args = ['deletions', 'show', String(headers['deletion-id']), '--json'];
      await until(async () => (await runJobsDelete(args, env)).stdout.includes('"state":"completed"'));
    }
    const { code, stdout } = await runJobsDelete(['jobs', 'show', 'DEMO0011'], env);
    expect(stdout).toContain('does not exist');
    expect(code).toBe(1);
    expect((await runJobsDelete(['jobs', 'count'], env)).stdout).toContain('997 jobs');

    serve.kill('SIGTERM');
    expect(await serve.exited).toEqual({ code: 0, signal: null });
    expect(serve.stderr()).toBe('');
    if (user) expect(statSync(join(dataDir, 'demo.json')).uid).toBe(user.uid);
  });

  describeWith('mongodb', 'every role in its own process', (mongodbUrl) => {
    describeWith('kafka', 'on the production pair', (kafkaUrl) => {
      test('indexes and topics are created, jobs are deleted, and the services stop with exit code 0', async () => {
        const replicas = { gateway: 1, api: 1, relay: 1, worker: 1 };
        const cluster = await createCluster({ mongodbUrl, kafkaUrl, replicas });
        try {
          await cluster.startAll();
          const { accounts, imported } = await setClusterScene(cluster, { Acme: 20 });
          const requests = (['json', 'xml'] as const).flatMap((format, index) =>
            accounts.map((account): SentRequest => {
              const jobIds = numberedIds('Acme', 20).slice(index * 5, index * 5 + 5);
              return { account, format, jobIds, key: undefined, attempts: [] };
            }),
          );
          for (const request of requests) {
            const answer = await attempt(request, cluster.gateways[0]?.baseUrl ?? '');
            expect(answer?.status).toBe(200);
          }
          await untilClusterSettled(cluster);
          expect(audit({ imported, requests }, await readClusterAftermath(cluster))).toEqual([]);
          expect(await Promise.all(cluster.replicas.map((replica) => replica.stop()))).toEqual([0, 0, 0, 0]);
          expect(cluster.replicas.flatMap((replica) => replica.crashes())).toEqual([]);
        } finally {
          await reapReplicas();
          await dropCluster(cluster);
        }
      });
    });
  });
});

test('a build in a repository is refused, because it would remove uncommitted files', () => {
  const repository = newPath('repository');
  mkdirSync(join(repository, 'deploy'), { recursive: true });
  mkdirSync(join(repository, '.git'));
  writeFileSync(
    join(repository, 'deploy/build-tree.sh'),
    readFileSync(join(checkout, 'deploy/build-tree.sh')),
  );
  const { status, stderr } = spawnSync('sh', [join(repository, 'deploy/build-tree.sh')], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('run it in a copy');
  expect(status).toBe(2);
});

test('the Dockerfile builds this tree, and runs it as a user who can’t change it', () => {
  expect(dockerfile).toMatch(/^COPY \. \.\nRUN deploy\/build-tree\.sh$/m);
  expect(dockerfile).toMatch(/^COPY --from=build \/app \/app$/m);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('no test has written below the root of the image', () => {
  const now = listTree(tree);
  expect([...now].filter(([path, state]) => built.get(path) !== state)).toEqual([]);
  expect(now.size).toBe(built.size);
});

/** Returns a user who does not own the programs, as in the image, or the reason if none exists. */
function unprivilegedUser(): User | string {
  const user = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() !== 0) return 'the tests do not run as root';
  const { status, error } = spawnSync(process.execPath, ['--version'], { ...user, cwd: '/' });
  return status === 0 ? user : `user 65534 cannot run ${process.execPath}: ${String(error ?? status)}`;
}

/** Returns every path below the folder, with its mode, size and times. */
function listTree(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths.sort().map((path) => {
      const { mode, size, mtimeMs, ctimeMs } = lstatSync(join(folder, path));
      return [path, [mode.toString(8), size, mtimeMs, ctimeMs].join(' ')];
    }),
  );
}
