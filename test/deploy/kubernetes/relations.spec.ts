import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DashboardConfig } from '@jobs-delete/dashboard/config';
import type { DeleterConfig } from '@jobs-delete/deleter-service/config';
import { removalGroup } from '@jobs-delete/deleter-service/deletion/remove-jobs';
import type { GatewayConfig } from '@jobs-delete/gateway/config';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { ruleGroups } from '../../operations/monitoring.ts';
import { root } from '../../readme/readme.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { containerOf, environmentOf, productionSecrets, readConfiguration } from './configuration-of.ts';
import { selects, type Labels, type NetworkPolicy, type Peer, type PolicyPort } from './manifest.ts';
import { buildOverlay, overlayNames, type Overlay } from './overlays.ts';

const servers = ['gateway', 'dashboard', 'api', 'relay', 'worker'];
const jobs = ['audit', 'indexes', 'topics'];
const mongodbPort = 27_017;

describeWith('kustomize', 'the manifests agree with each other', (program) => {
  describe.each(overlayNames)('overlay %s', (name) => {
    let overlay: Overlay;
    beforeAll(async () => {
      overlay = await buildOverlay(program, name);
    });
    const podLabels = (workload: string): Labels =>
      overlay.workloads.find(({ metadata }) => metadata.name === workload)?.spec.template.metadata.labels ??
      {};
    const policiesOf = (workload: string, direction: 'Ingress' | 'Egress'): NetworkPolicy[] =>
      overlay
        .all('NetworkPolicy')
        .filter(
          ({ spec }) =>
            spec.policyTypes.includes(direction) && selects(spec.podSelector, podLabels(workload)),
        );
    const portsTo = (workload: string) =>
      sortedPorts(policiesOf(workload, 'Egress').flatMap(({ spec }) => spec.egress ?? []));
    const portsFrom = (workload: string) =>
      sortedPorts(policiesOf(workload, 'Ingress').flatMap(({ spec }) => spec.ingress ?? []));

    test('network policies allow only what each role needs', () => {
      const hasComponents = name.endsWith('all components');
      const kafka = [9_092, 9_093];
      const collector = hasComponents ? [4_318] : [];
      expect(Object.fromEntries([...servers, ...jobs].map((role) => [role, portsTo(role)]))).toEqual({
        gateway: [53, ...collector, mongodbPort, 50_051],
        dashboard: [53, ...collector, 8_080, mongodbPort, 50_051],
        api: [53, ...collector, ...kafka, mongodbPort],
        relay: [53, ...collector, ...kafka, mongodbPort],
        worker: [53, ...collector, ...kafka, mongodbPort],
        audit: [53, ...kafka, mongodbPort],
        indexes: [53, mongodbPort],
        topics: [53, ...kafka],
      });
      const metrics = hasComponents ? [9_464] : [];
      expect(Object.fromEntries([...servers, ...jobs].map((role) => [role, portsFrom(role)]))).toEqual({
        gateway: [8_080, ...metrics],
        dashboard: [8_081, ...metrics],
        api: [...metrics, 50_051],
        relay: metrics,
        worker: metrics,
        audit: [],
        indexes: [],
        topics: [],
      });
      for (const role of [...servers, ...jobs])
        for (const direction of ['Ingress', 'Egress'] as const)
          expect(policiesOf(role, direction).map(({ metadata }) => metadata.name)).toContain('default-deny');
    });

    test('each network rule names its other side', () => {
      const open = overlay
        .all('NetworkPolicy')
        .filter(({ spec }) => {
          const peers: (readonly Peer[] | undefined)[] = [
            ...(spec.ingress ?? []).map(({ from }) => from),
            ...(spec.egress ?? []).map(({ to }) => to),
          ];
          return peers.some((peer) => peer === undefined || peer.length === 0);
        })
        .map(({ metadata }) => metadata.name);
      expect(open).toEqual([]);
    });

    test('only gateways and the dashboard may call an api', () => {
      const [rule] = policiesOf('api', 'Ingress').flatMap(({ spec }) => spec.ingress ?? []);
      const callers = overlay.workloads.filter(({ spec }) =>
        (rule?.from ?? []).some(
          ({ podSelector }) => podSelector && selects(podSelector, spec.template.metadata.labels),
        ),
      );
      expect(callers.map(({ metadata }) => metadata.name)).toEqual(['dashboard', 'gateway']);
    });

    test('every pod has no rights and a read-only root file system', () => {
      expect(overlay.workloads.map(({ metadata }) => metadata.name).sort()).toEqual(
        [...servers, ...jobs].sort(),
      );
      for (const workload of overlay.workloads) {
        expect(workload.spec.template.spec).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65_534,
            seccompProfile: { type: 'RuntimeDefault' },
          },
        });
        expect(containerOf(workload).securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    test('every server has a budget and is spread; no budget or Service selects a Job', () => {
      const budgets = overlay.all('PodDisruptionBudget').map(({ metadata }) => metadata.name);
      expect(budgets.sort()).toEqual([...servers].sort());
      for (const role of servers)
        expect(overlay.find('Deployment', role).spec.template.spec).toMatchObject({
          topologySpreadConstraints: [
            { topologyKey: 'topology.kubernetes.io/zone' },
            { topologyKey: 'kubernetes.io/hostname' },
          ],
        });
      for (const service of overlay.all('Service'))
        for (const job of jobs)
          expect(selects({ matchLabels: service.spec.selector }, podLabels(job))).toBe(false);
    });

    test('each scaled Deployment has one autoscaler and no fixed number', () => {
      const autoscalers = [...overlay.all('HorizontalPodAutoscaler'), ...overlay.all('ScaledObject')];
      const targets = autoscalers.map(({ spec }) => spec.scaleTargetRef.name);
      expect(targets.sort()).toEqual(['api', 'gateway', 'worker']);
      for (const role of servers)
        expect(overlay.find('Deployment', role).spec.replicas === undefined).toBe(targets.includes(role));
    });

    test('at most as many workers run as there are partitions', () => {
      const { args = [] } = containerOf(overlay.find('Job', 'topics'));
      const partitions = Number(args[args.indexOf('--partitions') + 1]);
      const most = [
        ...overlay
          .all('HorizontalPodAutoscaler')
          .filter(({ spec }) => spec.scaleTargetRef.name === 'worker')
          .map(({ spec }) => spec.maxReplicas),
        ...overlay.all('ScaledObject').map(({ spec }) => spec.maxReplicaCount),
      ];
      expect(most).toHaveLength(1);
      expect(Math.max(...most)).toBeLessThanOrEqual(partitions);
    });
  });

  describe('production', () => {
    let overlay: Overlay;
    beforeAll(async () => {
      overlay = await buildOverlay(program, 'production, all components');
    });
    const read = (role: string) => {
      const container = containerOf(overlay.find('Deployment', role));
      const reading = readConfiguration(container, environmentOf(overlay, container, productionSecrets()));
      if ('problems' in reading) throw new Error(reading.problems.join('\n'));
      return reading.config;
    };

    test('the route waits longer than the gateway, and a page may stay open', async () => {
      const { answerTimeoutMs } = read('gateway') as GatewayConfig;
      const routes = await buildOverlay(program, 'production');
      const timeoutOf = (name: string) => routes.find('HTTPRoute', name).spec.rules[0]?.timeouts.request;
      expect(parseInt(timeoutOf('gateway') ?? '') * 1_000).toBeGreaterThan(answerTimeoutMs);
      expect(timeoutOf('dashboard')).toBe('0s');
    });

    test('each route leads to a port of its Service, by a listener with its host', async () => {
      const routes = await buildOverlay(program, 'production');
      const { listeners } = routes.find('Gateway', 'entry').spec;
      for (const { metadata, spec } of routes.all('HTTPRoute')) {
        const [backend] = spec.rules[0]?.backendRefs ?? [];
        expect(backend?.name).toBe(metadata.name);
        const { ports } = routes.find('Service', backend?.name ?? '').spec;
        expect(ports.map(({ port }) => port)).toContain(backend?.port);
        const listener = listeners.find(({ name }) => name === spec.parentRefs[0]?.sectionName);
        expect([listener?.hostname]).toEqual(spec.hostnames);
      }
    });

    test('with the component ingress, Ingresses replace the routes', () => {
      expect([...overlay.all('Gateway'), ...overlay.all('HTTPRoute')]).toEqual([]);
      expect(overlay.all('Ingress').map(({ metadata }) => metadata.name)).toEqual(['dashboard', 'gateway']);
    });

    test('the network of MongoDB and Kafka is a value that the operator must set', () => {
      for (const name of ['to-mongodb', 'to-kafka'])
        expect(JSON.stringify(overlay.find('NetworkPolicy', name).spec.egress)).toContain(
          'NETWORK-OF-MONGODB-AND-KAFKA',
        );
    });

    test('only root and the group of the program read a private key', () => {
      const mounting = overlay.workloads.filter(({ spec }) => JSON.stringify(spec).includes('"secretName"'));
      expect(mounting.map(({ metadata }) => metadata.name).sort()).toEqual(['api', 'dashboard', 'gateway']);
      for (const { spec } of mounting) {
        const { volumes, securityContext } = spec.template.spec as {
          volumes?: readonly { secret?: { defaultMode?: number } }[];
          securityContext?: { fsGroup?: number; runAsGroup?: number };
        };
        const modes = (volumes ?? []).flatMap(({ secret }) => (secret ? [secret.defaultMode] : []));
        expect(modes).toEqual([0o400]);
        expect(securityContext?.fsGroup).toBe(securityContext?.runAsGroup);
      }
    });

    test('no runbook scales a Deployment that an autoscaler owns, except from 0', () => {
      const scaled = overlay.all('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
      const owned = [...scaled, 'worker'];
      const folder = join(root, 'docs/runbooks');
      const wrong = readdirSync(folder).filter((name) =>
        [...readFileSync(join(folder, name), 'utf8').matchAll(/scale deploy(?:ment)?[ /](\w+)/g)].some(
          ([, role = '']) => owned.includes(role) && name !== `no-${role}.md`,
        ),
      );
      expect(wrong).toEqual([]);
    });

    test('gateway and dashboard trust proxies of the cluster for the address of the caller', () => {
      expect((read('gateway') as GatewayConfig).protection.trustProxy).toEqual(['uniquelocal']);
      expect((read('dashboard') as DashboardConfig).trustProxy).toEqual(['uniquelocal']);
    });

    test('each route and each Ingress has the host of the address that its program names', async () => {
      const hostOf = (name: string) =>
        (overlay.find('Ingress', name).spec as { rules: { host: string }[] }).rules.map(({ host }) => host);
      const { publicUrl = '', apiUrl } = read('dashboard') as DashboardConfig;
      expect(hostOf('dashboard')).toEqual([new URL(publicUrl).host]);
      expect(hostOf('gateway')).toEqual([new URL(apiUrl).host]);
      const routes = await buildOverlay(program, 'production');
      expect(routes.find('HTTPRoute', 'dashboard').spec.hostnames).toEqual(hostOf('dashboard'));
      expect(routes.find('HTTPRoute', 'gateway').spec.hostnames).toEqual(hostOf('gateway'));
    });

    test('Prometheus has the rules of the file, for their job', () => {
      expect(overlay.find('PrometheusRule', 'jobs-delete').spec).toEqual({ groups: ruleGroups });
      const { jobLabel } = overlay.find('ServiceMonitor', 'jobs-delete').spec as { jobLabel: string };
      expect(overlay.find('Service', 'metrics').metadata.labels?.[jobLabel]).toBe('jobs-delete');
    });

    test('every server may reach its trace collector', () => {
      const { egress = [] } = overlay.find('NetworkPolicy', 'to-opentelemetry').spec;
      for (const role of servers) {
        const container = containerOf(overlay.find('Deployment', role));
        const { OTEL_EXPORTER_OTLP_ENDPOINT = '' } = environmentOf(overlay, container, productionSecrets());
        const { hostname, port } = new URL(OTEL_EXPORTER_OTLP_ENDPOINT);
        const namespace = { 'kubernetes.io/metadata.name': hostname.split('.')[1] };
        expect(egress).toEqual([
          {
            to: [{ namespaceSelector: { matchLabels: namespace } }],
            ports: [{ protocol: 'TCP', port: Number(port) }],
          },
        ]);
        expect((read(role) as GatewayConfig | DeleterConfig | DashboardConfig).operations.tracing).toBe(true);
      }
    });

    test('KEDA scales by the lag of the workers', () => {
      const { eventLog } = read('worker') as DeleterConfig;
      const prefix = eventLog.kind === 'kafka' ? (eventLog.prefix ?? '') : '';
      const { spec } = overlay.find('ScaledObject', 'worker');
      expect(spec.scaleTargetRef.name).toBe('worker');
      expect(spec.triggers.map(({ metadata }) => metadata)).toMatchObject([
        { consumerGroup: prefix + removalGroup, topic: prefix + deletionAcceptedTopic },
      ]);
    });
  });
});

function sortedPorts(rules: readonly { readonly ports?: readonly PolicyPort[] }[]): number[] {
  const ports = new Set(rules.flatMap(({ ports: of = [] }) => of.map(({ port }) => port)));
  return [...ports].sort((first, second) => first - second);
}
