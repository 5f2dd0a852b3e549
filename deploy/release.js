import { readFileSync, writeFileSync } from 'node:fs';

// Sets the version of every package, and names it in CHANGELOG.md. Run it in the root: npm run release -- 0.2.0
// It does not commit, tag or publish.

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const [version = ''] = process.argv.slice(2);
const { version: current, workspaces } = readJson('package.json');
const changelog = readFileSync('CHANGELOG.md', 'utf8');

const problem = findProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

const folders = [...workspaces, 'test'];
const manifests = ['package.json', ...[...folders, 'cli/caller'].map((folder) => `${folder}/package.json`)];
for (const path of manifests) writeJson(path, withVersion(readJson(path)));
const lock = readJson('package-lock.json');
for (const folder of ['', ...folders]) if (lock.packages[folder]) withVersion(lock.packages[folder]);
writeJson('package-lock.json', withVersion(lock));

const today = new Date().toISOString().slice(0, 10);
writeFileSync(
  'CHANGELOG.md',
  changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`),
);

/** Returns why the version cannot be the next one. */
function findProblem() {
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    return `'${version}' is no version. Give one such as 0.2.0: npm run release -- 0.2.0`;
  if (version.localeCompare(current, 'en', { numeric: true }) < 0)
    return `${version} is lower than the current version, ${current}.`;
  if (changelog.includes(`## [${version}]`)) return `CHANGELOG.md has the version ${version} already.`;
  const unreleased = /^## \[Unreleased\]\n([^]*?)(?=^## \[|$(?![^]))/m.exec(changelog)?.[1] ?? '';
  if (!unreleased.includes('\n- ')) return 'CHANGELOG.md lists no change under [Unreleased].';
  return undefined;
}

/** Sets the version of a package, and of the packages of this repository that it needs. */
function withVersion(manifest) {
  manifest.version = version;
  for (const name of Object.keys(manifest.dependencies ?? {}))
    if (name.startsWith('@jobs-delete/')) manifest.dependencies[name] = version;
  return manifest;
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
