export default async function globalTeardown() {
  const { tearDownServers } = await import('../dist/servers/servers-of-run.js');
  await tearDownServers();
}
