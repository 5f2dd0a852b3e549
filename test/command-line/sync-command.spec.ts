import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { createAuthority } from '@jobs-delete/runtime/testing/certificates';
import { readAftermath, waitUntilSettled } from '../durability/aftermath.ts';
import { setScene } from '../durability/scene.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { spawnCommand } from './run-delete.ts';
import { temporaryFiles } from './temporary-files.ts';

const newPath = temporaryFolder();
const newFile = temporaryFiles();
reapAfterEach();
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Serves a feed over HTTPS, with a version. */
async function serveFeed(text: string) {
  const authority = createAuthority('feeds');
  const { certificate: cert, key } = authority.issue(['localhost']);
  const server = createServer({ cert, key }, ({ headers, url }, response) => {
    if (url === '/moved.xml') response.writeHead(302, { location: '/feed.xml' }).end();
    else if (headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.setHeader('ETag', '"1"').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const ca = newFile('ca.pem');
  writeFileSync(ca, authority.certificate);
  return { url: `https://localhost:${String((server.address() as AddressInfo).port)}/moved.xml`, ca };
}

test('the service deletes the jobs that a feed over HTTPS no longer has, and no others', async () => {
  const dataDir = newPath('data');
  const { pools } = await setScene(dataDir, { Acme: 1_000, Other: 50 });
  const [acme, other] = pools;
  if (acme === undefined || other === undefined) throw new Error('no account');
  const expired = acme.jobIds.slice(0, 100);
  const left = acme.jobIds.slice(100);
  const baseUrl = await spawnServe(dataDir).ready;
  const jobs = [...left, 'Posted0001'].map((id) => `<job><referencenumber>${id}</referencenumber></job>`);
  const feed = await serveFeed(`<source><publisher>Acme</publisher>${jobs.join('')}</source>`);
  const home = newPath('home');
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, NODE_EXTRA_CA_CERTS: feed.ca };
  const sync = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await spawnCommand('sync', baseUrl, acme.account, [...args, '--json'], {
      env,
    }).exited;
    return { code, stderr, value: JSON.parse(stdout) as unknown };
  };

  const planned = await sync(feed.url);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.value).toMatchObject({
    own_jobs: acme.jobIds.length,
    feed_jobs: left.length + 1,
    jobs_to_delete: expired.length,
    unchanged_jobs: left.length,
    unknown_jobs: 1,
  });
  expect((await readAftermath(dataDir)).jobs).toHaveLength(acme.jobIds.length + other.jobIds.length);
  expect(await sync('--apply', '--wait')).toMatchObject({
    code: 0,
    value: { complete: true, accepted_jobs: expired.length, refused_jobs: 0 },
  });
  expect((await sync(feed.url)).value).toEqual({ complete: true, unchanged_feed: true });

  await waitUntilSettled(dataDir);
  const { deletions, jobs: remaining } = await readAftermath(dataDir);
  expect(deletions.flatMap(({ jobIds }) => jobIds).sort()).toEqual([...expired].sort());
  expect(remaining).toHaveLength(left.length + other.jobIds.length);
});
