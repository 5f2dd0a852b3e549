import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readDashboardConfig } from '@jobs-delete/dashboard/config';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { programVariables, readCliConfig } from 'jobs-delete/config';
import { namesOf, type Variables } from '@jobs-delete/runtime/config/variables';
import { compose, createSecrets, environmentOf, interpolated, serviceOf } from './compose.ts';

const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'jobs-delete');
const newPath = temporaryFolder();
const secrets = newPath('secrets');
beforeAll(() => createSecrets(secrets));

describe('docker-compose.yml', () => {
  test('runs every role, and creates indexes and topics first', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(
      [
        ...['api', 'dashboard', 'gateway', 'relay', 'worker'],
        ...['demo', 'indexes', 'operator', 'secrets', 'topics', 'users'],
      ].sort(),
    );
    for (const name of ['api', 'dashboard', 'relay', 'worker']) {
      expect(compose.services[name]?.depends_on).toMatchObject({
        indexes: { condition: 'service_completed_successfully' },
        topics: { condition: 'service_completed_successfully' },
      });
    }
    const created = { condition: 'service_completed_successfully' };
    expect(serviceOf('indexes').depends_on).toEqual({ users: created });
    expect(serviceOf('topics').depends_on).toEqual({ kafka: { condition: 'service_healthy' } });
    for (const name of ['mongodb', 'kafka']) expect(serviceOf(name).depends_on).toEqual({ secrets: created });
  });

  test.each(ours)('%s sets no variable that the programs do not know', (_name, service) => {
    const known = Object.values<Variables>(programVariables).flatMap(namesOf);
    expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  });

  test.each(['gateway', 'dashboard', 'api', 'relay', 'worker', 'indexes', 'topics', 'operator', 'demo'])(
    '%s has a configuration that its program accepts',
    (name) => {
      const service = serviceOf(name);
      const [, entry = ''] = service.command;
      const environment = environmentOf(service, secrets);
      const mongodb = { kind: 'mongodb' };
      if (entry.startsWith('gateway/'))
        expect(readGatewayConfig(environment)).toMatchObject({ database: mongodb });
      else if (entry.startsWith('dashboard/'))
        expect(readDashboardConfig(environment)).toMatchObject({ database: mongodb });
      else {
        const read = entry.startsWith('deleter-service/') ? readDeleterConfig : readCliConfig;
        expect(read(environment)).toMatchObject({ database: mongodb, eventLog: { kind: 'kafka' } });
      }
    },
  );

  test('creates each secret once, and none of them is in the file', () => {
    const first = readFileSync(join(secrets, 'values.json'), 'utf8');
    createSecrets(secrets);
    expect(readFileSync(join(secrets, 'values.json'), 'utf8')).toBe(first);
    const other = newPath('secrets');
    createSecrets(other);
    const valuesOf = (text: string) => Object.values(JSON.parse(text) as Record<string, string>);
    const all = [...valuesOf(first), ...valuesOf(readFileSync(join(other, 'values.json'), 'utf8'))];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((value) => value.length < 32)).toEqual([]);
  });

  test('a later start writes only the secrets that are missing or differ', () => {
    const folder = newPath('secrets');
    createSecrets(folder);
    const written = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((path) => `${path} ${String(statSync(path, { bigint: true }).mtimeNs)}`);
    const changed = join(folder, 'kafka', 'client.properties');
    const content = readFileSync(changed, 'utf8');
    writeFileSync(changed, content.slice(1));
    const first = written();
    createSecrets(folder);
    expect(written().filter((file) => !first.includes(file))).toEqual([expect.stringContaining(changed)]);
    expect(readFileSync(changed, 'utf8')).toBe(content);
  });

  test('takes the pepper of the environment at the first start', () => {
    const folder = newPath('secrets');
    const CREDENTIAL_PEPPER = 'p'.repeat(32);
    expect(() => createSecrets(folder, {}, { CREDENTIAL_PEPPER: 'short' })).toThrow(/at least 32 characters/);
    createSecrets(folder, {}, { CREDENTIAL_PEPPER });
    createSecrets(folder);
    for (const name of ['gateway', 'dashboard', 'operator'])
      expect(readFileSync(join(folder, name, 'CREDENTIAL_PEPPER'), 'utf8').trim()).toBe(CREDENTIAL_PEPPER);
  });

  test('each container mounts its own secrets only, and cannot change them', () => {
    const mounted = services.flatMap(([name, { volumes = [] }]) =>
      volumes.filter((volume) => volume.startsWith('secrets')).map((volume) => [name, volume] as const),
    );
    const folders = readdirSync(secrets, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(Object.keys(compose.volumes).sort()).toEqual(
      ['kafka', 'mongodb', 'secrets', ...folders.map(({ name }) => `secrets-${name}`)].sort(),
    );
    const folderOf: Readonly<Record<string, string>> = {
      indexes: 'setup',
      topics: 'setup',
      users: 'mongodb',
      demo: 'operator',
    };
    for (const [name, volume] of mounted.filter(([service]) => service !== 'secrets'))
      expect([name, volume]).toEqual([name, `secrets-${folderOf[name] ?? name}:/run/secrets:ro`]);
    expect(mounted.filter(([service]) => service === 'secrets')).toHaveLength(folders.length + 1);
  });

  test('the dashboard has a token of its own, which may not delete', () => {
    const configOf = <Config>(name: string, read: (env: NodeJS.ProcessEnv) => Config) =>
      read(environmentOf(serviceOf(name), secrets));
    const { callers } = configOf('api', readDeleterConfig).grpc;
    const roleOf = (secret: string | undefined) =>
      callers?.roles.get(callers.tokensFile?.first.find(({ token }) => token === secret)?.caller ?? '');
    expect(roleOf(configOf('dashboard', readDashboardConfig).serviceToken)).toBe('manage');
    expect(roleOf(configOf('gateway', readGatewayConfig).serviceToken)).toBe('delete');
  });

  test('the ports of API and dashboard are open on this machine only, and no other port is', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.map((port) => interpolated(port))).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8081:8081']);
  });

  test('a service reaches only what it needs, and MongoDB and Kafka reach no other network', () => {
    const { networks } = compose;
    const on = (network: string) =>
      services.flatMap(([name, service]) => (service.networks?.includes(network) ? [name] : [])).sort();
    expect(on('public')).toEqual(['dashboard', 'gateway']);
    expect(on('api')).toEqual(['api', 'dashboard', 'gateway']);
    expect(on('database')).not.toContain('kafka');
    expect(on('events')).toEqual(['api', 'demo', 'kafka', 'operator', 'relay', 'topics', 'worker']);
    const modes = services.flatMap(([name, { network_mode: mode }]) =>
      mode === undefined ? [] : [[name, mode]],
    );
    expect(modes).toEqual([
      ['secrets', 'none'],
      ['users', 'service:mongodb'],
    ]);
    for (const name of ['api', 'database', 'events']) expect(networks[name]?.internal).toBe(true);
  });

  test.each(['gateway', 'dashboard', 'api', 'relay', 'worker'])('%s is healthy when it is ready', (name) => {
    const { adminPort } = readGatewayConfig({
      ...environmentOf(serviceOf('gateway'), secrets),
    }).operations;
    expect(JSON.stringify(compose.services[name]?.healthcheck)).toContain(
      `http://127.0.0.1:${String(adminPort)}/readyz`,
    );
  });

  test.each(ours)('%s runs on a read-only root file system', (_name, service) => {
    expect(service.read_only).toBe(true);
  });
});
