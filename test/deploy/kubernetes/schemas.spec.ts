import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { kubernetesReleases, validateManifests } from '../../servers/packages.ts';
import type { Manifest } from './manifest.ts';
import { buildOverlay, overlayNames, type Overlay } from './overlays.ts';

/** Kinds of operators. The roll-out suite checks them in the cluster. */
const ofOperators = /^(?:gateway\.networking\.k8s\.io|keda\.sh|monitoring\.coreos\.com)\//;

describeWith('kustomize', 'the schemas of Kubernetes', (program) => {
  describeWith('kubernetes schemas', 'of the last three releases', (schemas) => {
    const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-manifests-'));
    const file = join(folder, 'manifests.yaml');
    afterAll(() => rmSync(folder, { recursive: true }));

    const validate = (release: string, manifests: readonly Manifest[]) => {
      writeFileSync(file, manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
      return validateManifests(schemas, release, file);
    };

    describe.each(overlayNames)('overlay %s', (name) => {
      let overlay: Overlay;
      beforeAll(async () => {
        overlay = await buildOverlay(program, name);
      });

      test.each(kubernetesReleases)('is valid for Kubernetes %s, to the last field', async (release) => {
        await validate(
          release,
          overlay.manifests.filter(({ apiVersion }) => !ofOperators.test(apiVersion)),
        );
      });
    });

    test.each(kubernetesReleases)('Kubernetes %s refuses an unknown field', async (release) => {
      const { manifests } = await buildOverlay(program, 'production');
      const wrong = manifests
        .filter(({ kind }) => kind === 'PodDisruptionBudget')
        .map((budget) => ({ ...budget, spec: { ...(budget.spec as object), maxUnavailabel: 1 } }));
      await expect(validate(release, wrong)).rejects.toThrow("('maxUnavailabel' was unexpected)");
    });
  });
});
