import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

const module = 'sigs.k8s.io/gateway-api@v1.5.1';
const paths = ['gateways', 'httproutes'].map(
  (kind) => `config/crd/standard/gateway.networking.k8s.io_${kind}.yaml`,
);

/** Returns a folder with the resource definitions of the Gateway API, from its Go module. */
export function gatewayApiDefinitions(): Promise<string> {
  return cachedFolder(module.replace(/.*\/(.*)@v/, '$1-'), async (folder) => {
    const download = await runCommand('go', ['mod', 'download', '-json', module], { cwd: folder });
    const { Dir } = JSON.parse(download) as { Dir: string };
    for (const path of paths) await cp(join(Dir, path), join(folder, basename(path)));
  });
}
