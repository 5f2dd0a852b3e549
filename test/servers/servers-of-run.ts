import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireServers, type Need, type Servers } from './acquire-servers.ts';

interface Project {
  readonly roots: readonly string[];
  readonly globals: Readonly<Record<string, unknown>>;
}

interface Suite {
  readonly need: Need;
  readonly name: string;
}

/** Shared by all projects of the run. */
const servers = acquireServers();

/** Acquires what the project's selected suites need. Jest's workers inherit the environment. */
export async function setUpServers(
  { roots, globals }: Project,
  selection: { isMatch(path: string): boolean },
): Promise<void> {
  const suites = roots.flatMap((root) => findSuites(root, (path) => selection.isMatch(path)));
  const needs = new Set([...suites.map(({ need }) => need), ...needsOfPair(globals)]);
  const acquired = await servers.acquire([...needs]);
  const known = JSON.parse(process.env.TEST_SERVERS ?? '{}') as Servers;
  process.env.TEST_SERVERS = JSON.stringify({ ...known, ...acquired });
  const warning = describeMissing(acquired, suites);
  if (warning !== undefined) process.stderr.write(warning);
}

/** Runs after all suites of all projects. */
export function tearDownServers(): Promise<void> {
  return servers.stop();
}

/** Returns the servers of the HTTP suite, which its project chooses by the storage pair. */
function needsOfPair({ storagePair }: Project['globals']): readonly Need[] {
  return storagePair === 'production' ? ['mongodb', 'kafka'] : [];
}

/** Returns the names of suites that can't run, or undefined if all can. */
function describeMissing(acquired: Servers, suites: readonly Suite[]): string | undefined {
  const missing = Object.entries(acquired).flatMap(([need, server]) =>
    'missing' in server ? [{ need, reason: server.missing }] : [],
  );
  if (missing.length === 0) return undefined;
  const line = '!'.repeat(100);
  const paragraphs = missing.map(({ need, reason }) => {
    const names = suites.filter((suite) => suite.need === need).map(({ name }) => `  NOT RUN: ${name}\n`);
    return `${need}: ${reason.split('\n').join('\n    ')}\n${names.join('')}`;
  });
  return (
    `\n${line}\nTests do NOT run, because their servers or programs are missing:\n\n${paragraphs.join('\n')}\n` +
    `For MongoDB and Kafka, set TEST_MONGODB_URL and TEST_KAFKA_URL, or start a Docker engine.\n${line}\n\n`
  );
}

/** Reads the calls of `describeWith` in the spec files. */
function findSuites(root: string, isSelected: (path: string) => boolean): readonly Suite[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts') && isSelected(join(root, name)))
    .flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/describeWith\(\s*'([^']+)',\s*'([^']+)'/g)].map(
        ([, need, suite]) => ({ need: need as Need, name: `${suite ?? ''} (${name})` }),
      ),
    );
}
