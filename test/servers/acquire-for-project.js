// Jest loads this file without a transform, so it imports what `tsc -b` has built.
export default async function acquireForProject(_globalConfig, projectConfig) {
  const { setUpServers } = await import('../dist/servers/servers-of-run.js');
  await setUpServers(projectConfig);
}
