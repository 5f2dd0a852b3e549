import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import type { DeleterConfig } from '@jobs-delete/deleter-service/config';
import type { GatewayConfig } from '@jobs-delete/gateway/config';
import { parse } from 'yaml';
import { codeBlocks } from '../../readme/readme.ts';
import { describeWith } from '../../servers/describe-with.ts';
import {
  certificateNames,
  containerOf,
  environmentOf,
  guide,
  productionSecrets,
  readConfiguration,
} from './configuration-of.ts';
import type { Container } from './manifest.ts';
import {
  buildOnTop,
  buildOverlay,
  overlayNames,
  overlayOf,
  withServiceTokens,
  type Overlay,
} from './overlays.ts';

const loopback = ['127.0.0.1', '::1', 'localhost'];
const rolesOf = { api: ['api', 'relay'], relay: ['relay'], worker: ['worker'] };
const secrets = productionSecrets();

/** The keys that components/keda reads. */
const kedaKeys = ['sasl', 'username', 'password', 'tls'];

describeWith('kustomize', 'the configuration in the manifests', (program) => {
  describe.each(overlayNames)('overlay %s', (name) => {
    let overlay: Overlay;
    beforeAll(async () => {
      overlay = await buildOverlay(program, name);
    });
    const container = (kind: 'Deployment' | 'Job', of: string) => containerOf(overlay.find(kind, of));
    const read = (of: string, kind: 'Deployment' | 'Job' = 'Deployment') => {
      const found = container(kind, of);
      const reading = readConfiguration(found, environmentOf(overlay, found, secrets));
      if ('problems' in reading) throw new Error(reading.problems.join('\n'));
      return reading.config;
    };
    const readGateway = () => read('gateway') as GatewayConfig;
    const readDeleter = (role: string) => read(role) as DeleterConfig;
    const readDashboard = () => read('dashboard') as DashboardConfig;
    const readServer = (role: string) => read(role) as GatewayConfig | DeleterConfig | DashboardConfig;

    test('is accepted by the program of each pod, which reads every variable of it', () => {
      const wrong = Object.fromEntries(
        overlay.workloads
          .map((workload) => [workload.metadata.name, problemsOf(overlay, containerOf(workload))] as const)
          .filter(([, problems]) => problems.length > 0),
      );
      expect(wrong).toEqual({});
      const names = ['api', 'audit', 'dashboard', 'gateway', 'indexes', 'relay', 'topics', 'worker'];
      expect(overlay.workloads.map(({ metadata }) => metadata.name).sort()).toEqual(names);
    });

    test('gives each role its work, on MongoDB and Kafka', () => {
      for (const [of, roles] of Object.entries(rolesOf)) {
        const config = readDeleter(of);
        expect([...config.roles]).toEqual(roles);
        expect(config).toMatchObject({ database: { kind: 'mongodb' }, eventLog: { kind: 'kafka' } });
      }
      expect(read('gateway')).toMatchObject({ database: { kind: 'mongodb' } });
      expect(read('dashboard')).toMatchObject({ database: { kind: 'mongodb' } });
      expect(read('indexes', 'Job')).toMatchObject({ database: { kind: 'mongodb' } });
      expect(read('topics', 'Job')).toMatchObject({ eventLog: { kind: 'kafka' } });
    });

    test('leads the gateways and the dashboard to every api, with valid credentials', () => {
      const gateway = readGateway();
      const dashboard = readDashboard();
      const api = readDeleter('api');
      expect(gateway.deleterAddress).toBe(`dns:///api:${String(api.grpc.port)}`);
      expect(dashboard.deleterAddress).toBe(gateway.deleterAddress);
      expect(dashboard.internalApiUrl).toBe('http://gateway');
      expect(overlay.find('Service', 'gateway').spec.ports).toMatchObject([{ port: 80, targetPort: 'http' }]);
      expect(overlay.find('Service', 'api').spec).toMatchObject({
        clusterIP: 'None',
        ports: [{ port: api.grpc.port, targetPort: 'grpc' }],
      });
      if (name.startsWith('production') && name !== withServiceTokens) {
        const byCertificate = { serviceToken: undefined, deleterTls: expect.anything() };
        expect([gateway, dashboard]).toMatchObject([byCertificate, byCertificate]);
        expect(api.tls).toBeDefined();
        expect([...(api.grpc.callers?.roles ?? [])]).toEqual([
          [certificateNames.gateway, 'delete'],
          [certificateNames.dashboard, 'manage'],
        ]);
        for (const role of ['gateway', 'dashboard', 'api'])
          expect(overlay.find('Deployment', role).spec.template.spec.volumes).toEqual([
            { name: 'certificate', secret: { secretName: `${role}-certificate`, defaultMode: 0o400 } },
          ]);
      } else {
        expect(api.tls).toBeUndefined();
        const callerWith = (secret: string | undefined) =>
          api.grpc.callers?.tokens.find(({ token }) => token === secret)?.caller ?? '';
        expect(api.grpc.callers?.roles.get(callerWith(gateway.serviceToken))).toBe('delete');
        expect(api.grpc.callers?.roles.get(callerWith(dashboard.serviceToken))).toBe('manage');
      }
      expect(api.maxJobsPerRequest).toBe(gateway.maxJobsPerRequest);
    });

    test('opens every port in the manifests to other pods', () => {
      const gateway = readGateway();
      const dashboard = readDashboard();
      const api = readDeleter('api');
      expect(loopback).not.toContain(gateway.host);
      expect(loopback).not.toContain(dashboard.host);
      expect(loopback).not.toContain(api.grpc.host);
      expect(container('Deployment', 'gateway').ports).toContainEqual({
        name: 'http',
        containerPort: gateway.port,
      });
      expect(container('Deployment', 'dashboard').ports).toContainEqual({
        name: 'http',
        containerPort: dashboard.port,
      });
      expect(container('Deployment', 'api').ports).toContainEqual({
        name: 'grpc',
        containerPort: api.grpc.port,
      });
      for (const role of ['gateway', 'dashboard', 'api', 'relay', 'worker']) {
        const { operations } = readServer(role);
        const { ports, livenessProbe, readinessProbe } = container('Deployment', role);
        expect(loopback).not.toContain(operations.adminHost);
        expect(ports).toContainEqual({ name: 'admin', containerPort: operations.adminPort });
        expect(livenessProbe?.httpGet).toEqual({ path: '/livez', port: 'admin' });
        expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'admin' });
      }
    });

    test('gives a stopping pod time to leave its load balancers and to finish', () => {
      for (const role of ['gateway', 'dashboard', 'api', 'relay', 'worker']) {
        const { operations, shutdownTimeoutMs } = readServer(role);
        const { terminationGracePeriodSeconds = 0 } = overlay.find('Deployment', role).spec.template.spec;
        const stopMs = operations.drainDelayMs + shutdownTimeoutMs;
        expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(stopMs);
        expect(operations.drainDelayMs > 0).toBe(['gateway', 'dashboard', 'api'].includes(role));
      }
      const { answerTimeoutMs, shutdownTimeoutMs } = readGateway();
      expect(shutdownTimeoutMs).toBeGreaterThan(answerTimeoutMs);
    });

    test('has secrets only by reference', () => {
      const values = overlay.workloads.flatMap((workload) =>
        (containerOf(workload).env ?? []).map(({ name: variable, value }) => [variable, value] as const),
      );
      const settings = overlay.all('ConfigMap').flatMap(({ data = {} }) => Object.entries(data));
      const secret = /^(?:(?:ACCOUNTS_)?DATABASE_URL|EVENT_LOG_URL|CREDENTIAL_PEPPER|GRPC_SERVICE_TOKENS)$/;
      expect(
        [...values, ...settings].filter(([variable, value]) => secret.test(variable) && value !== undefined),
      ).toEqual([]);
      expect(overlay.all('Secret').map(({ metadata }) => metadata.name.replace(/-[^-]*$/, ''))).toEqual(
        name === 'local' ? Object.keys(secrets).toSorted() : [],
      );
    });

    test("no workload refers to another one's Secret", () => {
      const setUp = 'jobs-delete-set-up';
      const owners = { indexes: setUp, topics: setUp } as Readonly<Record<string, string>>;
      for (const workload of overlay.workloads) {
        const references = (containerOf(workload).env ?? []).flatMap(
          ({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [],
        );
        const own = owners[workload.metadata.name] ?? `jobs-delete-${workload.metadata.name}`;
        const generated = new RegExp(`^${own}(?:-[a-z0-9]{10})?$`);
        expect(references.filter((reference) => !generated.test(reference))).toEqual([]);
        expect(references).not.toEqual([]);
      }
    });
  });

  test('the guide gives each workload its user in MongoDB and Kafka', () => {
    const usersOf = (secret: string) =>
      Object.entries(secrets[secret] ?? {}).flatMap(([variable, value]) => {
        const user = /^(?:mongodb|kafka):\/\/([^:]+):/.exec(value)?.[1];
        return user === undefined ? [] : [`${variable}: ${user}`];
      });
    const both = (user: string) => [`DATABASE_URL: ${user}`, `EVENT_LOG_URL: ${user}`];
    expect(Object.fromEntries(Object.keys(secrets).map((secret) => [secret, usersOf(secret)]))).toEqual({
      'jobs-delete-set-up': both('jobs-delete-setup'),
      'jobs-delete-gateway': ['ACCOUNTS_DATABASE_URL: jobs-delete-gateway'],
      'jobs-delete-dashboard': ['ACCOUNTS_DATABASE_URL: jobs-delete-dashboard'],
      'jobs-delete-api': both('jobs-delete-api'),
      'jobs-delete-relay': both('jobs-delete-relay'),
      'jobs-delete-worker': both('jobs-delete-worker'),
      'jobs-delete-audit': both('jobs-delete-audit'),
    });
  });

  test("the guide's example of a setting reaches the programs that read it", async () => {
    const [example = '', certificate = '', keda = '', ...others] = codeBlocks('yaml', guide);
    expect(others).toEqual([]);
    expect(parse(certificate)).toMatchObject({
      spec: { secretName: 'gateway-certificate', dnsNames: [certificateNames.gateway] },
    });
    expect(Object.keys((parse(keda) as { stringData: object }).stringData)).toEqual(kedaKeys);
    const overlay = await buildOnTop(program, 'production', parse(example) as object);
    const retentionDays = (role: string) => {
      const container = containerOf(overlay.find('Deployment', role));
      return environmentOf(overlay, container, secrets).RECEIPT_RETENTION_DAYS;
    };
    expect(['gateway', 'api', 'worker'].map(retentionDays)).toEqual([undefined, '30', '30']);
    expect(overlay.workloads.flatMap((workload) => problemsOf(overlay, containerOf(workload)))).toEqual([]);
  });

  describe('finds in a wrong manifest', () => {
    let yaml: string;
    beforeAll(async () => {
      yaml = (await buildOverlay(program, withServiceTokens)).yaml;
    });
    const problemsWith = (of: string, wrong: (text: string) => string) => {
      const overlay = overlayOf(wrong(yaml));
      return problemsOf(overlay, containerOf(overlay.find('Deployment', of)));
    };

    test('a variable that the program does not read', () => {
      const misspelt = (text: string) => text.replaceAll('DRAIN_DELAY_MS', 'DRAIN_DELAY');
      expect(problemsWith('gateway', misspelt)).toEqual(['DRAIN_DELAY: is not read']);
    });

    test("a variable of another role's program", () => {
      const astray = (text: string) => text.replaceAll(/LOG_LEVEL: info/g, 'JOB_DELETED_EVENTS: "off"');
      expect(problemsWith('worker', astray)).toEqual([]);
      expect(problemsWith('gateway', astray)).toEqual(['JOB_DELETED_EVENTS: is not read']);
    });

    test('a value that the program refuses', () => {
      const refused = (text: string) => text.replaceAll('LOG_LEVEL: info', 'LOG_LEVEL: chatty');
      expect(problemsWith('api', refused)).toEqual([expect.stringMatching(/^LOG_LEVEL: must be /)]);
    });

    test.each([
      ['gateway', 'CREDENTIAL_PEPPER', /^CREDENTIAL_PEPPER: must be set/],
      ['dashboard', 'CREDENTIAL_PEPPER', /^CREDENTIAL_PEPPER: must be set/],
      ['api', 'GRPC_SERVICE_TOKENS', /^GRPC_SERVICE_TOKENS: must be set/],
      ['worker', 'DATABASE_URL', /^ROLES: must be .* on embedded storage/],
      ['relay', 'EVENT_LOG_URL', /^ROLES: must be .* on embedded storage/],
    ])('%s without %s', (of, variable, message) => {
      const removed = (text: string) =>
        text.replaceAll(
          new RegExp(`^ +- name: ${variable}\\n(?: +(?:valueFrom|secretKeyRef|key|name):.*\\n){4}`, 'gm'),
          '',
        );
      expect(problemsWith(of, removed)).toContainEqual(expect.stringMatching(message));
    });

    test('a certificate without its key', async () => {
      const { yaml: withTls } = await buildOverlay(program, 'production');
      const removed = withTls.replaceAll(/^ +- name: GRPC_TLS_KEY\n +value:.*\n/gm, '');
      const overlay = overlayOf(removed);
      for (const role of ['api', 'gateway', 'dashboard'])
        expect(problemsOf(overlay, containerOf(overlay.find('Deployment', role)))).toContainEqual(
          expect.stringMatching(/^GRPC_TLS_KEY: must be set/),
        );
    });

    test('a reference to a key that nobody sets', () => {
      const astray = (text: string) => text.replaceAll('key: DATABASE_URL', 'key: DATABASE_UR');
      expect(() => problemsWith('worker', astray)).toThrow('DATABASE_URL: there is no DATABASE_UR');
    });
  });
});

function problemsOf(overlay: Overlay, container: Container): readonly string[] {
  const reading = readConfiguration(container, environmentOf(overlay, container, secrets));
  return 'problems' in reading
    ? reading.problems
    : reading.unread.map((variable) => `${variable}: is not read`);
}
