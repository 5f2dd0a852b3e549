import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { parseAllDocuments } from 'yaml';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { reapAfterEach, spawnServe, type ServeProcess } from '../harness/spawn-serve.ts';
import { codeBlocks, root } from '../readme/readme.ts';
import { adminOf } from './admin.ts';
import { dashboardQueries, metricsAskedFor } from './monitoring.ts';

interface Workload {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: PodParent & { readonly jobTemplate?: { readonly spec: PodParent } };
}
interface PodParent {
  readonly template?: {
    readonly spec: { readonly containers: readonly { readonly env?: { name: string }[] }[] };
  };
}

/** Names of the Deployments and CronJobs of the base. */
const base = join(root, 'deploy/kubernetes/base');
const workloads = new Map(
  readdirSync(base)
    .flatMap((file) => parseAllDocuments(readFileSync(join(base, file), 'utf8')))
    .map((document) => document.toJS() as Workload)
    .filter(({ kind }) => ['Deployment', 'CronJob'].includes(kind))
    .map((workload) => [workload.metadata.name, workload]),
);

const newPath = temporaryFolder();

reapAfterEach();

/** Starts a service with every feature that has metrics. */
function startWithCertificate(): ServeProcess {
  const authority = createAuthority('tests');
  const secret = { ...authority.issue(['localhost']), trusted: authority.certificate };
  const { files } = mountSecret(newPath('certificates'), secret);
  const publicTls = { TLS_CERT: files.GRPC_TLS_CERT, TLS_KEY: files.GRPC_TLS_KEY };
  return spawnServe(newPath('data'), { env: { ...files, ...publicTls, GRPC_CALLERS: 'localhost=delete' } });
}

test('the alert rules and the dashboard use only metrics of a running service', async () => {
  const admin = await adminOf(startWithCertificate());
  const { text } = await admin.get('/metrics');
  const existing = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  expect([...metricsAskedFor].filter((name) => !existing.has(name))).toEqual([]);
  expect(metricsAskedFor.size).toBeGreaterThan(20);
});

test('the dashboard and docs/operations.md show all our metrics', async () => {
  const admin = await adminOf(startWithCertificate());
  const { text } = await admin.get('/metrics');
  const own = [...text.matchAll(/^# TYPE (\S+) /gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:nodejs|process)_/.test(name));
  expect(own.filter((name) => !dashboardQueries.some((query) => query.includes(name)))).toEqual([]);
  const documented = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  expect(own.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});

describe('the runbooks', () => {
  const folder = join(root, 'docs/runbooks');
  const runbooks = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
  );

  test.each(runbooks)('%s explains the meaning, the checks and the actions', (_name, text) => {
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'What it means',
      'How to check',
      'What to do',
    ]);
    expect(codeBlocks('sh', text).length).toBeGreaterThan(0);
    const linked = [...text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
    const names = runbooks.map(([name]) => name);
    expect(linked.filter((name) => name === undefined || !names.includes(name))).toEqual([]);
  });

  /** The command that the function in docs/least-privilege.md runs. */
  const asOperator = 'kubectl -n jobs-delete exec deploy/api --';
  const commandLines = runbooks.flatMap(([, text]) => codeBlocks('sh', text).join('\n').split('\n'));

  test('use only valid commands of jobs-delete', async () => {
    const commands = new Set(commandLines.flatMap(commandIn));
    expect([...commands]).toEqual(expect.arrayContaining(['audit --repair', 'indexes create --dry-run']));
    const wrong: string[] = [];
    for (const command of commands) {
      const { code, stderr } = await runJobsDelete(command.split(' '), { DATA_DIR: newPath('data') });
      // Exit code 1 means that nothing was found. Exit code 2 means that the command is invalid.
      if (code !== 0 && code !== 1) wrong.push(`jobs-delete ${command}: ${stderr}`);
    }
    expect(wrong).toEqual([]);
  });

  test('run them in pods with database and event log, which exist even without workers', () => {
    const places = commandLines.flatMap((line) => {
      const [, deployment] =
        / exec deploy\/(\S+) -- jobs-delete /.exec(line.replace(/^as_operator/, asOperator)) ?? [];
      const [, cronJob] = / create job \S+ --from=cronjob\/(\S+)$/.exec(line) ?? [];
      return commandIn(line).length > 0 || cronJob !== undefined ? [deployment ?? cronJob ?? line] : [];
    });
    expect([...new Set(places)].sort()).toEqual(['api', 'audit']);
    for (const place of places)
      expect(variablesOf(place)).toEqual(expect.arrayContaining(['DATABASE_URL', 'EVENT_LOG_URL']));
  });

  test('name existing workloads', () => {
    const named = commandLines.flatMap((line) =>
      [...line.matchAll(/ (?:deploy|cronjob)\/(\w+)(?![\w/])/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => workloads.get(name) === undefined)).toEqual([]);
  });
});

/** Returns a command such as `deletions list --state accepted`. Ignores labels and the namespace of the same name. */
function commandIn(line: string): string[] {
  return [...line.matchAll(/(?<!-n |=)\bjobs-delete ([^|;]*[^|; ])/g)].map(([, command = '']) => command);
}

function variablesOf(name: string): string[] {
  const { spec } = workloads.get(name) ?? {};
  const { template } = spec?.jobTemplate?.spec ?? spec ?? {};
  return template?.spec.containers.flatMap(({ env = [] }) => env.map((variable) => variable.name)) ?? [];
}
