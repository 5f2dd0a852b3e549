import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readTlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { codeBlocks, root } from '../../readme/readme.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { gatewayApiDefinitions } from '../../servers/kubernetes-programs.ts';
import { startKubernetes, type KubernetesCluster } from '../../servers/start-kubernetes.ts';
import { certificateNames, guide, productionSecrets } from './configuration-of.ts';
import type { Manifest } from './manifest.ts';
import { nodeNames, nodesAndVolumes } from './nodes.ts';
import { buildOverlay } from './overlays.ts';

const [tryIt, createSecrets, issueCertificates, addTokens, deploy, ...operation] = codeBlocks('sh', guide);
const [upgrade, rollBack, scale, drain, ...others] = operation;
const namespace = ['--namespace', 'jobs-delete'];

const upgraded = `sha256:${'2'.repeat(64)}`;

describeWith('kubernetes', 'the guide to Kubernetes, on a real API server', (programs) => {
  let cluster: KubernetesCluster;
  /** A copy of the manifests. A test may change its image. */
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-guide-'));
  const kubectl = (...args: readonly string[]) => cluster.kubectl(...args);
  /** Runs a block of the guide with a shorter timeout. */
  const shell = (block = '', env: Readonly<Record<string, string>> = {}) => {
    const script = block.replaceAll('--timeout=10m', '--timeout=2m');
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...cluster.environment, ...env },
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  };
  /** The same. Warnings fail it, such as a violation of pod security. */
  const run = (...block: Parameters<typeof shell>) => {
    const { stdout, stderr, status } = shell(...block);
    expect({ stdout, stderr, status }).toEqual({
      stdout: expect.any(String),
      stderr: expect.not.stringContaining('Warning'),
      status: 0,
    });
    return stdout;
  };
  const names = async (kind: string, ...options: readonly string[]) => {
    const list = await kubectl(...namespace, 'get', kind, '--output=name', ...options);
    return list.split('\n').flatMap((line) => line.split('/')[1] ?? []);
  };
  const fieldOf = (resource: string, path: string) =>
    kubectl(...namespace, 'get', resource, `--output=jsonpath={${path}}`);
  const untilField = (resource: string, path: string, value: string) =>
    kubectl(...namespace, 'wait', resource, `--for=jsonpath={${path}}=${value}`, '--timeout=2m');

  beforeAll(async () => {
    cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
    cluster = await startKubernetes(programs);
    const resources = join(folder, 'nodes.json');
    writeFileSync(resources, JSON.stringify(nodesAndVolumes));
    await kubectl('apply', '--filename', resources);
    await kubectl('wait', 'node', '--all', '--for=condition=Ready', '--timeout=2m');
    await kubectl('apply', '--server-side', '--filename', await gatewayApiDefinitions());
    await kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=2m');
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  test('this suite runs every example of the guide', () => {
    expect(others).toEqual([]);
    expect(drain).toContain('kubectl drain');
  });

  test('the local overlay rolls out, with its own MongoDB and Kafka', async () => {
    run(tryIt);
    expect(await names('deployment')).toEqual(['api', 'dashboard', 'gateway', 'relay', 'worker']);
    for (const server of ['mongodb', 'kafka'])
      await untilField(`statefulset/${server}`, '.status.readyReplicas', '1');
    await kubectl('delete', 'namespace', 'jobs-delete', '--timeout=2m');
  });

  describe('production', () => {
    test('rolls out, in a namespace that enforces restricted pod security', async () => {
      run(createSecrets);
      run(issueCertificates);
      const networks = join(folder, 'deploy/kubernetes/overlays/production/networks.yaml');
      const placeholder = 'NETWORK-OF-MONGODB-AND-KAFKA';
      const applied = `${deploy?.split('\n')[0] ?? ''} --dry-run=server`;
      const refused = shell(applied);
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain(placeholder);
      writeFileSync(networks, readFileSync(networks, 'utf8').replace(placeholder, '10.20.0.0/24'));
      run(deploy);
      expect(await names('httproute')).toEqual(['dashboard', 'gateway']);
      expect(await names('gateway')).toEqual(['entry']);
      expect(await fieldOf('namespace/jobs-delete', '.metadata.labels')).toContain(
        '"pod-security.kubernetes.io/enforce":"restricted"',
      );
      for (const role of ['gateway', 'dashboard', 'api', 'relay', 'worker'])
        await untilField(`deployment/${role}`, '.status.availableReplicas', '2');
    });

    test('issues certificates that the programs accept', async () => {
      for (const [role, name] of Object.entries(certificateNames)) {
        const path = mkdtempSync(join(folder, `${role}-`));
        const secret = JSON.parse(
          await kubectl(...namespace, 'get', 'secret', `${role}-certificate`, '--output=json'),
        ) as Manifest;
        for (const [file, value] of Object.entries(secret.data ?? {}))
          writeFileSync(join(path, file), Buffer.from(value, 'base64'));
        const { problems, files } = readTlsFiles({
          GRPC_TLS_CERT: join(path, 'tls.crt'),
          GRPC_TLS_KEY: join(path, 'tls.key'),
          GRPC_TLS_CA: join(path, 'ca.crt'),
        });
        expect([problems, files]).toEqual([[], expect.anything()]);
        const [certificate, authority] = ['tls.crt', 'ca.crt'].map(
          (file) => new X509Certificate(readFileSync(join(path, file))),
        ) as [X509Certificate, X509Certificate];
        expect(certificate.checkHost(name, { subject: 'never' })).toBe(name);
        expect([certificate.verify(authority.publicKey), certificate.ca, authority.ca]).toEqual([
          ...[true, false, true],
        ]);
      }
    });

    test('adds the service tokens of the alternative to the Secrets', async () => {
      run(addTokens);
      for (const role of ['gateway', 'dashboard', 'api']) {
        const secret = await fieldOf(`secret/jobs-delete-${role}`, '.data');
        expect(Object.keys(JSON.parse(secret) as object)).toEqual(
          Object.keys(productionSecrets()[`jobs-delete-${role}`] ?? {}).toSorted(),
        );
      }
    });

    test('the namespace refuses a pod with more rights', async () => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'root' },
        spec: { containers: [{ name: 'root', image: 'jobs-delete' }] },
      };
      const file = join(folder, 'pod.json');
      writeFileSync(file, JSON.stringify(pod));
      await expect(kubectl(...namespace, 'apply', '--filename', file)).rejects.toThrow(
        'violates PodSecurity "restricted',
      );
    });

    test('spreads each role over the zones', async () => {
      for (const role of ['gateway', 'dashboard', 'api', 'relay', 'worker']) {
        const nodes = await kubectl(
          ...[...namespace, 'get', 'pods', `--selector=app.kubernetes.io/component=${role}`],
          '--output=jsonpath={.items[*].spec.nodeName}',
        );
        expect(new Set(nodes.split(' ')).size).toBe(2);
      }
    });

    test('an upgrade replaces every pod, and two of each role are always available', async () => {
      const overlay = join(folder, 'deploy/kubernetes/overlays/production/kustomization.yaml');
      writeFileSync(overlay, readFileSync(overlay, 'utf8').replace(/digest: .*/, `digest: ${upgraded}`));
      const available = await watchAvailable();
      run(upgrade);
      const images = await kubectl(
        ...[...namespace, 'get', 'pods', '--field-selector=status.phase=Running'],
        '--output=jsonpath={.items[*].spec.containers[*].image}',
      );
      expect(new Set(images.split(' '))).toEqual(new Set([`registry.example.com/jobs-delete@${upgraded}`]));
      const seen = await available.stop();
      expect(Object.keys(seen).sort()).toEqual(['api', 'dashboard', 'gateway', 'relay', 'worker']);
      expect(Math.min(...Object.values(seen).flat())).toBe(2);
      for (const changes of Object.values(seen)) expect(changes.length).toBeGreaterThan(1);
    });

    test('a roll-back returns one Deployment to its previous version', async () => {
      run(rollBack);
      const image = '.spec.template.spec.containers[0].image';
      expect(await fieldOf('deployment/worker', image)).toMatch(/@sha256:0{64}$/);
      expect(await fieldOf('deployment/api', image)).toContain(upgraded);
    });

    test('scales by the bounds of its autoscaler, or by its number of replicas', async () => {
      run(scale);
      for (const role of ['gateway', 'relay'])
        await untilField(`deployment/${role}`, '.status.availableReplicas', '3');
    });

    test('the runbook’s command starts an audit immediately', async () => {
      const runbook = readFileSync(join(root, 'docs/runbooks/removal-stalled.md'), 'utf8');
      const lines = codeBlocks('sh', runbook).join('').split('\n');
      run(lines.find((line) => line.includes('--from=cronjob/audit')));
      await untilField('job/audit-now', '.status.succeeded', '1');
    });

    test('the budget allows one eviction, and the next one only after the replacement is ready', async () => {
      const relays = await names('pod', '--selector=app.kubernetes.io/component=relay');
      // No node accepts the replacement.
      await kubectl('cordon', ...nodeNames);
      await evict(relays[0] ?? '');
      await untilField('poddisruptionbudget/relay', '.status.currentHealthy', '2');
      await expect(evict(relays[1] ?? '')).rejects.toThrow("violate the pod's disruption budget");
      await kubectl('uncordon', ...nodeNames);
      await untilField('poddisruptionbudget/relay', '.status.currentHealthy', '3');
    });

    test('after draining a node all of its pods run elsewhere', async () => {
      const [node = ''] = nodeNames;
      expect(await podsOn(node)).not.toEqual([]);
      // Stops here to look at the cluster.
      run(drain?.replace(/^kubectl uncordon.*$/m, ''), { NODE: node });
      expect(await podsOn(node)).toEqual([]);
      run(drain, { NODE: node });
      run('kubectl -n jobs-delete rollout status deployment --timeout=2m');
      expect(await fieldOf(`node/${node}`, '.spec.unschedulable')).toBe('');
    });

    const podsOn = (node: string) => names('pod', `--field-selector=spec.nodeName=${node}`);

    /** Evicts a pod as `kubectl drain` does, without a retry. */
    const evict = (pod: string) => {
      const file = join(folder, 'eviction.json');
      const metadata = { name: pod, namespace: 'jobs-delete' };
      writeFileSync(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }));
      const path = `/api/v1/namespaces/jobs-delete/pods/${pod}/eviction`;
      return kubectl('create', '--raw', path, '--filename', file);
    };

    /** Records the available pods of each role at every change. */
    const watchAvailable = async () => {
      const columns = 'NAME:.metadata.name,AVAILABLE:.status.availableReplicas';
      const child = spawn(
        'kubectl',
        [...namespace, 'get', 'deployments', '--watch', '--no-headers', `--output=custom-columns=${columns}`],
        { env: cluster.environment, stdio: ['ignore', 'pipe', 'ignore'] },
      );
      let written = '';
      child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
      const ended = new Promise((resolve) => child.once('close', resolve));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      return {
        stop: async () => {
          child.kill();
          await ended;
          const seen: Record<string, number[]> = {};
          for (const [, role = '', count] of written.matchAll(/^(\S+) +(\d+|<none>)$/gm))
            (seen[role] ??= []).push(count === '<none>' ? 0 : Number(count));
          return seen;
        },
      };
    };
  });

  describeWith('kustomize', 'the optional components', (kustomize) => {
    const dryRun = (text: string) => {
      const file = join(folder, 'components.json');
      writeFileSync(file, text);
      return kubectl('apply', '--server-side', '--force-conflicts', '--dry-run=server', '--filename', file);
    };

    test('are valid for their operators, to the last field', async () => {
      const definitions = join(programs, 'crds');
      await kubectl('apply', '--server-side', '--filename', definitions);
      await kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=2m');
      const { manifests } = await buildOverlay(kustomize, 'production, all components');
      // Finished Jobs can't be changed.
      const items = manifests.filter(({ kind }) => kind !== 'Job');
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items }).replaceAll(
        'NETWORK-OF-MONGODB-AND-KAFKA',
        '10.20.0.0/24',
      );
      const applied = await dryRun(list);
      expect(applied).toContain('scaledobject.keda.sh/worker serverside-applied');
      expect(applied).toContain('servicemonitor.monitoring.coreos.com/jobs-delete serverside-applied');
      await expect(dryRun(list.replace('maxReplicaCount', 'maxReplicasCount'))).rejects.toThrow(
        'unknown field "maxReplicasCount"',
      );
    });
  });
});
