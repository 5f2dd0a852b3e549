import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testPrograms } from '../harness/programs.ts';
import { root } from '../readme/readme.ts';
import { acquireServers, type Availability } from '../servers/acquire-servers.ts';
import { builtRelease } from '../servers/previous-release.ts';
import { runCommand } from '../servers/child-process.ts';
import { recordEmbedded } from './record-embedded.ts';
import { recordProduction } from './record-production.ts';
import { recordedEnv, recordings } from './recording.ts';

/** Runs the release of a tag, such as v0.2.0, and records what it stores and publishes. */
const [version = ''] = process.argv.slice(2);
if (!/^v\d/.test(version)) throw new Error('give a tag: npm run record-release -- v0.2.0');
const revision = await runCommand('git', ['rev-parse', `${version}^{commit}`], { cwd: root });
const commit = revision.trim();
const { acquire, stop } = acquireServers();
try {
  testPrograms({ root: await builtRelease(version, commit) });
  const { mongodb, kafka } = await acquire(['mongodb', 'kafka']);
  const production = await recordProduction(
    { mongodbUrl: urlOf(mongodb), kafkaUrl: urlOf(kafka) },
    recordedEnv,
  );
  const embedded = await recordEmbedded(recordedEnv);
  const callers = { production: production.caller, embedded: embedded.caller };
  const folder = join(recordings, version);
  // Fails if it exists: a recording never changes.
  mkdirSync(folder);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('commit', `${commit}\n`);
  write('callers.json', json(callers));
  write('mongodb.json', production.collections);
  write('kafka.json', json(production.topics));
  write('jobs-delete.sql', embedded.sql['jobs-delete.db']);
  write('events.sql', embedded.sql['events.db']);
  process.stdout.write(`recorded in ${folder}\n`);
} finally {
  await stop();
}

function urlOf(server: Availability | undefined): string {
  if (server === undefined || 'missing' in server) throw new Error(server?.missing ?? 'no server');
  return server.url;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
