import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDashboardConfig } from '@jobs-delete/dashboard/config';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { readCliConfig } from 'jobs-delete/config';
import { parse } from 'yaml';
import { knownVariables } from '../harness/known-variables.ts';
import { root } from '../readme/readme.ts';

interface ComposeService {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
}

const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'jobs-delete');

/** Replaces `${NAME:-default}` and `${NAME:+text}` as Compose does, when no variable is set except COMPOSE_PROFILES. */
function interpolated(value: string, profiles: string): string {
  return value
    .replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')
    .replace(/\$\{COMPOSE_PROFILES:\+([^}]*)\}/g, profiles === '' ? '' : '$1');
}

function environmentOf({ environment }: ComposeService, profiles = 'demo'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, interpolated(value, profiles)]),
  );
}

describe('docker-compose.yml', () => {
  test('runs every role, and creates indexes and topics first', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(
      ['api', 'dashboard', 'demo', 'gateway', 'indexes', 'relay', 'topics', 'worker'].sort(),
    );
    for (const name of ['api', 'dashboard', 'relay', 'worker']) {
      expect(compose.services[name]?.depends_on).toMatchObject({
        indexes: { condition: 'service_completed_successfully' },
        topics: { condition: 'service_completed_successfully' },
      });
    }
    expect(compose.services.mongodb?.healthcheck).toBeDefined();
    expect(compose.services.kafka?.healthcheck).toBeDefined();
  });

  test.each(ours)('%s sets no variable that the programs do not know', (_name, service) => {
    const known = knownVariables();
    expect(Object.keys(service.environment).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(ours)('%s has a configuration that its program accepts', (_name, service) => {
    const [program = '', entry = ''] = service.command;
    const environment = environmentOf(service);
    const read = entry.startsWith('gateway/')
      ? readGatewayConfig
      : entry.startsWith('deleter-service/')
        ? readDeleterConfig
        : entry.startsWith('dashboard/')
          ? readDashboardConfig
          : readCliConfig;
    expect(['node', 'jobs-delete'].includes(program) || program.includes('jobs-delete')).toBe(true);
    expect(read(environment)).toMatchObject({ database: { kind: 'mongodb' } });
  });

  test('the trial secrets are refused outside the demo profile', () => {
    const { gateway, api, dashboard } = compose.services;
    if (!gateway || !api || !dashboard) throw new Error('no gateway, api or dashboard');
    expect(() => readGatewayConfig(environmentOf(gateway, ''))).toThrow(
      /CREDENTIAL_PEPPER: has a trial secret[^]*GRPC_SERVICE_TOKENS: has a trial secret/,
    );
    expect(() => readDeleterConfig(environmentOf(api, ''))).toThrow(
      /GRPC_SERVICE_TOKENS: has a trial secret/,
    );
    expect(() => readDashboardConfig(environmentOf(dashboard, ''))).toThrow(
      /CREDENTIAL_PEPPER: has a trial secret[^]*GRPC_SERVICE_TOKENS: has a trial secret/,
    );
    const own = { CREDENTIAL_PEPPER: 'p'.repeat(32), GRPC_SERVICE_TOKENS: 't'.repeat(32) };
    expect(() => readGatewayConfig({ ...environmentOf(gateway, ''), ...own })).not.toThrow();
    expect(() => readDashboardConfig({ ...environmentOf(dashboard, ''), ...own })).not.toThrow();
    const both = { GRPC_SERVICE_TOKENS: `${'t'.repeat(32)},dashboard:${'d'.repeat(32)}` };
    expect(() => readDeleterConfig({ ...environmentOf(api, ''), ...both })).not.toThrow();
  });

  test('the dashboard has a token of its own, which may only read', () => {
    const { gateway, api, dashboard } = compose.services;
    if (!gateway || !api || !dashboard) throw new Error('no gateway, api or dashboard');
    const { callers } = readDeleterConfig(environmentOf(api)).grpc;
    const roleOf = (secret: string | undefined) =>
      callers?.roles.get(callers.tokens.find(({ token }) => token === secret)?.caller ?? '');
    expect(roleOf(readDashboardConfig(environmentOf(dashboard)).serviceToken)).toBe('read');
    expect(roleOf(readGatewayConfig(environmentOf(gateway)).serviceToken)).toBe('delete');
  });

  test('the ports of API and dashboard are open on this machine only, and no other port is', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.map((port) => interpolated(port, ''))).toEqual([
      '127.0.0.1:8080:8080',
      '127.0.0.1:8081:8081',
    ]);
  });

  test('a service reaches only what it needs, and MongoDB and Kafka reach no other network', () => {
    const { networks } = compose as unknown as { networks: Record<string, { internal?: boolean } | null> };
    const on = (network: string) =>
      services.flatMap(([name, service]) => (service.networks.includes(network) ? [name] : [])).sort();
    expect(on('public')).toEqual(['dashboard', 'gateway']);
    expect(on('api')).toEqual(['api', 'dashboard', 'gateway']);
    expect(on('database')).not.toContain('kafka');
    expect(on('events')).toEqual(['api', 'kafka', 'relay', 'topics', 'worker']);
    for (const name of ['api', 'database', 'events']) expect(networks[name]?.internal).toBe(true);
  });

  test.each(['gateway', 'dashboard', 'api', 'relay', 'worker'])('%s is healthy when it is ready', (name) => {
    const { adminPort } = readGatewayConfig({
      ...environmentOf(compose.services.gateway as ComposeService),
    }).operations;
    expect(JSON.stringify(compose.services[name]?.healthcheck)).toContain(
      `http://127.0.0.1:${String(adminPort)}/readyz`,
    );
  });

  test.each(ours)('%s runs on a read-only root file system', (_name, service) => {
    expect(service.read_only).toBe(true);
  });
});
