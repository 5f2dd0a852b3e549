import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/** One release of the package has the schemas of every release of Kubernetes up to its own. */
const version = '1.37.0';

/** The last three. */
export const kubernetesReleases = ['1.35', '1.36', '1.37'] as const;

/** A folder of Python packages, fetched at first use. @throws Error where it can't be had */
export function kubernetesSchemas(): Promise<string> {
  return cachedFolder(`kubernetes-validate-${version}`, async (folder) => {
    await runCommand('python3', [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore'],
      ...['--only-binary', ':all:', '--target', folder, `kubernetes-validate==${version}`],
    ]);
  });
}

/** Nothing that the release doesn't know may be in it. @throws Error with what is wrong */
export async function validateManifests(schemas: string, release: string, file: string): Promise<void> {
  await runCommand(
    'python3',
    ['-m', 'kubernetes_validate', '--kubernetes-version', release, '--strict', '--quiet', file],
    { env: { PYTHONPATH: schemas } },
  );
}
