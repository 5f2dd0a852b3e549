import { request } from 'node:https';
import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { createAuthority, mountSecret, type Secret } from '@jobs-delete/runtime/testing/certificates';
import { setScene } from '../durability/scene.ts';
import { callerHeaders, jsonBody } from '../harness/http-client.ts';
import { reapAfterEach, spawnServe } from '../harness/spawn-serve.ts';
import { until } from '../harness/until.ts';
import { adminOf } from './admin.ts';

const newPath = temporaryFolder();
const authority = createAuthority('the authority');
const newSecret = (): Secret => ({
  ...authority.issue(['localhost', '127.0.0.1']),
  trusted: authority.certificate,
});

reapAfterEach();

function deleteOver(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number> {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/v1/json/jobs-delete`, {
      method: 'DELETE',
      headers: all,
      ca: authority.certificate,
    });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Returns the serial number of the server's certificate, which a new connection gets. */
function serialAt(baseUrl: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, hostname: host } = new URL(baseUrl);
    const socket = connect({ port: Number(port), host, ca: authority.certificate }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

test('the public port serves TLS, and uses a renewed certificate without a restart', async () => {
  const dataDir = newPath('data');
  const { accounts, pools } = await setScene(dataDir, { Acme: 10 });
  const [account] = accounts;
  const [first = '', second = ''] = pools[0]?.jobIds ?? [];
  if (account === undefined) throw new Error('there is no account');
  const secret = mountSecret(newPath('certificate'), newSecret());
  const env = { TLS_CERT: secret.files.GRPC_TLS_CERT, TLS_KEY: secret.files.GRPC_TLS_KEY };
  const serve = spawnServe(dataDir, { env });
  const baseUrl = await serve.ready;
  expect(baseUrl).toMatch(/^https:/);
  expect(await deleteOver(baseUrl, callerHeaders(account), jsonBody([first]))).toBe(200);
  await expect(fetch(baseUrl.replace('https:', 'http:'))).rejects.toThrow();
  const admin = await adminOf(serve);
  const expiry = (await admin.metrics()).get('public_certificate_expiry_timestamp_seconds') ?? 0;
  expect(expiry * 1_000).toBeGreaterThan(Date.now());

  const before = await serialAt(baseUrl);
  secret.swap(newSecret());
  await until(async () => (await serialAt(baseUrl)) !== before);
  expect(await deleteOver(baseUrl, callerHeaders(account), jsonBody([second]))).toBe(200);
});

test('a start with an unusable certificate is refused, and names the file', async () => {
  const { files } = mountSecret(newPath('certificate'), newSecret());
  const other = mountSecret(newPath('other'), newSecret()).files;
  const serve = spawnServe(newPath('data'), {
    env: { TLS_CERT: files.GRPC_TLS_CERT, TLS_KEY: other.GRPC_TLS_KEY },
  });
  expect(await serve.exited).toEqual({ code: 2, signal: null });
  expect(serve.stderr()).toContain(`TLS_KEY: ${other.GRPC_TLS_KEY} is not the key of the certificate`);
});
