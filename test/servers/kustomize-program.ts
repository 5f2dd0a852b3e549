import { goProgram } from './go-program.ts';
import { runCommand } from './run-command.ts';

/** The kubectl that is there, or a kustomize of our own. @throws Error where neither can be had */
export async function kustomizeProgram(): Promise<string> {
  try {
    await runCommand('kubectl', ['kustomize', '--help']);
    return 'kubectl';
  } catch {
    const path = 'sigs.k8s.io/kustomize/kustomize/v5';
    return goProgram({ name: 'kustomize', path, version: '5.8.3' });
  }
}

/** What a kustomization makes, as YAML. */
export function kustomize(program: string, folder: string): Promise<string> {
  return runCommand(program, [program === 'kubectl' ? 'kustomize' : 'build', folder]);
}
