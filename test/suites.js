import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The gateway alone decides these answers. They are the same on every storage. */
const gatewayOnly = [
  ...['accept-language', 'connections', 'cors', 'docs', 'openapi', 'problem-pages', 'routes'],
  ...['details-headers', 'details-ids', 'details-json', 'details-xml', 'json-body', 'xml-body'],
  ...['http-connection', 'http-framing', 'http-pipelining', 'typescript-client'],
].map((name) => `test/http/${name}.spec.ts`);

/**
 * The table of suites: the jest projects, and the runs that take each of them. A run takes a suite once.
 * - `test`: npm test
 * - `all`: npm run test:all, and CI
 * - `attack`: npm run attack
 * - `newest-node`: CI, on the Node release of the image. It finds what another HTTP parser, crypto, SQLite or stream
 *   breaks, in units, in whole requests and in both drivers. The other suites would run the same code again.
 */
export const suites = [
  {
    name: 'unit',
    folders: workspaces.map((name) => `${name}/src`),
    runs: ['test', 'all', 'newest-node'],
  },
  {
    name: 'contract',
    folders: ['test/contract'],
    hasServers: true,
    runs: ['test', 'all', 'newest-node'],
  },
  {
    name: 'http-embedded',
    folders: ['test/dashboard', 'test/http'],
    runs: ['test', 'all', 'newest-node'],
  },
  {
    name: 'attack-embedded',
    folders: ['test/attack'],
    runs: ['test', 'all', 'attack'],
  },
  {
    name: 'http-production',
    folders: ['test/http'],
    without: gatewayOnly,
    hasServers: true,
    storagePair: 'production',
    runs: ['test', 'all'],
  },
  {
    // Not in npm test: the contracts of the ports hold for both storages, and the routes are the same.
    name: 'attack-production',
    folders: ['test/attack'],
    hasServers: true,
    storagePair: 'production',
    runs: ['all', 'attack'],
  },
];
const named = suites.flatMap(({ folders }) => folders);
suites.push({
  name: 'system',
  // Every other folder, so that no spec is forgotten.
  folders: foldersWithSpecs('test').filter((folder) => !named.includes(folder)),
  hasServers: true,
  // It installs, builds and rolls out programs, and fills disks.
  onDisk: true,
  runs: ['all'],
});

function foldersWithSpecs(parent) {
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
    .map(({ name }) => `${parent}/${name}`)
    .filter((folder) =>
      readdirSync(join(root, folder), { recursive: true }).some((file) => /\.spec\.tsx?$/.test(file)),
    );
}
