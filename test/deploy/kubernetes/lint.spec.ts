import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { runCommand } from '../../servers/child-process.ts';
import { buildOverlay, overlayNames } from './overlays.ts';

const ignored = [
  // The linter does not know topologySpreadConstraints, which spread pods over zones and nodes.
  'deployment-has-host-podantiaffinity',
  // A version's tag always names the same image.
  'container-image-pull-policy',
];

describeWith('kustomize', 'the linter for Kubernetes', (program) => {
  describeWith('kube-score', 'finds no problem', (kubeScore) => {
    const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-manifests-'));
    const file = join(folder, 'manifests.yaml');
    afterAll(() => rmSync(folder, { recursive: true }));

    /** Returns its complaints. */
    const lint = async (yaml: string, options: readonly string[] = []): Promise<string[]> => {
      writeFileSync(file, yaml);
      const linting = runCommand(kubeScore, [
        ...['score', '--kubernetes-version', 'v1.36', '--output-format', 'ci', '--exit-one-on-warning'],
        // A CPU limit would stop the event loop for parts of a second.
        ...['--ignore-container-cpu-limit', ...ignored.flatMap((name) => ['--ignore-test', name])],
        ...[...options, file],
      ]);
      try {
        await linting;
        return [];
      } catch (error) {
        const complaints = String(error).match(/^\[(?:CRITICAL|WARNING)\].*$/gm);
        if (complaints === null) throw error;
        return complaints;
      }
    };

    test.each(overlayNames)('in overlay %s', async (name) => {
      const { yaml } = await buildOverlay(program, name);
      expect(await lint(yaml, name === 'local' ? ['--min-replicas-hpa', '1'] : [])).toEqual([]);
    });

    test('but finds problems in a wrong manifest', async () => {
      const { yaml } = await buildOverlay(program, 'production');
      const wrong = yaml.replace('readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false');
      expect(await lint(wrong)).toEqual([expect.stringContaining('a writable root filesystem')]);
    });
  });
});
