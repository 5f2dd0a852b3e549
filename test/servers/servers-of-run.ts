import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireServers, needs, type AcquiredServers, type Need, type Servers } from './acquire-servers.ts';

/** Once for all the projects that need them. */
let acquired: Promise<AcquiredServers> | undefined;

/** Before the first suite of a project: jest hands the environment on to its workers. */
export async function setUpServers({ roots }: { readonly roots: readonly string[] }): Promise<void> {
  const { servers } = await (acquired ??= acquireServers());
  process.env.TEST_SERVERS = JSON.stringify(servers);
  const warning = describeMissing(servers, roots);
  if (warning !== undefined) process.stderr.write(warning);
}

/** After all suites of all projects. */
export async function tearDownServers(): Promise<void> {
  const toStop = await acquired;
  acquired = undefined;
  await toStop?.stop();
}

/** The suites that lack a server, by name. */
function describeMissing(servers: Servers, roots: readonly string[]): string | undefined {
  const suites = roots.flatMap(findSuites);
  const missing = needs.flatMap((need) => {
    const server = servers[need];
    const names = suites.filter((suite) => suite.need === need).map(({ name }) => name);
    return 'missing' in server && names.length > 0 ? [{ need, reason: server.missing, names }] : [];
  });
  if (missing.length === 0) return undefined;
  const line = '!'.repeat(100);
  const paragraphs = missing.map(
    ({ need, reason, names }) =>
      `${need}: ${reason.split('\n').join('\n    ')}\n` +
      names.map((name) => `  NOT RUN: ${name}\n`).join(''),
  );
  return (
    `\n${line}\nTests that need servers do NOT run, because these can't be had:\n\n${paragraphs.join('\n')}\n` +
    `Name servers by TEST_MONGODB_URL and TEST_KAFKA_URL, or start a Docker engine.\n${line}\n\n`
  );
}

function findSuites(root: string): { readonly need: Need; readonly name: string }[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/describeWith\(\s*'([^']+)',\s*'([^']+)'/g)].map(
        ([, need, suite]) => ({ need: need as Need, name: `${suite ?? ''} (${name})` }),
      ),
    );
}
