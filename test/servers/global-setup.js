// Jest's workers transpile the suites; what runs before them is built by `tsc -b`, as `npm test` does.
export default async function globalSetup(_globalConfig, projectConfig) {
  const { setUpServers } = await import('../dist/servers/servers-of-run.js');
  await setUpServers(projectConfig);
}
