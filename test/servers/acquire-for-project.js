// Jest loads this file without a transform, so it imports the build of `tsc -b`.
export default async function acquireForProject({ testPathPatterns }, projectConfig) {
  const { setUpServers } = await import('../dist/servers/servers-of-run.js');
  await setUpServers(projectConfig, testPathPatterns.toExecutor(projectConfig));
}
