import { goProgram } from './go-program.ts';
import { runCommand } from './run-command.ts';

/** Returns `kubectl`, or the path of a kustomize built from Go. Throws if the build fails. */
export async function kustomizeProgram(): Promise<string> {
  try {
    await runCommand('kubectl', ['kustomize', '--help']);
    return 'kubectl';
  } catch {
    const path = 'sigs.k8s.io/kustomize/kustomize/v5';
    return goProgram({ name: 'kustomize', path, version: '5.8.3' });
  }
}

/** Builds a kustomization. Returns its manifests as YAML. */
export function kustomize(program: string, folder: string): Promise<string> {
  return runCommand(program, [program === 'kubectl' ? 'kustomize' : 'build', folder]);
}
