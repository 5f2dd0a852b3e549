import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/** A release of the package has the schemas of all earlier Kubernetes releases too. */
const version = '1.37.0';

/** The releases that the manifests support. */
export const kubernetesReleases = ['1.35', '1.36', '1.37'] as const;

/** Returns a folder of Python packages. Downloads them at first use. Throws if pip fails. */
export function kubernetesSchemas(): Promise<string> {
  return cachedFolder(`kubernetes-validate-${version}`, async (folder) => {
    await runCommand('python3', [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore'],
      ...['--only-binary', ':all:', '--target', folder, `kubernetes-validate==${version}`],
    ]);
  });
}

/** Validates a file against the schemas of one release. Unknown fields are errors. Throws with the problems. */
export async function validateManifests(schemas: string, release: string, file: string): Promise<void> {
  await runCommand(
    'python3',
    ['-m', 'kubernetes_validate', '--kubernetes-version', release, '--strict', '--quiet', file],
    { env: { PYTHONPATH: schemas } },
  );
}
