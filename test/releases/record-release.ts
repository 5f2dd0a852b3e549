import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { testPrograms } from '../harness/programs.ts';
import { acquireServers } from '../servers/acquire-servers.ts';
import { recordEmbedded } from './record-embedded.ts';
import { recordProduction } from './record-production.ts';
import { recordings } from './recording.ts';

/** Nobody collects the traces; that they are made is enough for deletions and events to have them. */
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

/** Runs the newest release in the history of this checkout, and writes down what it stores and publishes. */
const { servers, stop } = await acquireServers();
try {
  const release = urlOf('previous release');
  testPrograms({ root: release });
  const production = await recordProduction({ mongodbUrl: urlOf('mongodb'), kafkaUrl: urlOf('kafka') }, env);
  const embedded = await recordEmbedded(env);
  const callers = { production: production.caller, embedded: embedded.caller };
  const folder = join(recordings, basename(release).split('-')[1] ?? '');
  // Never over another one: what a release has written down stays.
  mkdirSync(folder);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('callers.json', json(callers));
  write('mongodb.json', production.collections);
  write('kafka.json', json(production.topics));
  write('jobs-delete.sql', embedded.sql['jobs-delete.db']);
  write('events.sql', embedded.sql['events.db']);
  process.stdout.write(`recorded in ${folder}\n`);
} finally {
  await stop();
}

function urlOf(need: 'mongodb' | 'kafka' | 'previous release'): string {
  const server = servers[need];
  if ('missing' in server) throw new Error(`${need}: ${server.missing}`);
  return server.url;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
