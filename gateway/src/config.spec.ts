import { expect, test } from '@jest/globals';
import { readGatewayConfig } from './config.ts';

const read = (env: NodeJS.ProcessEnv) => readGatewayConfig(env).protection;

test('by default accounts are not limited, no proxy is trusted, and the work for unknown callers is bounded', () => {
  expect(read({})).toMatchObject({
    rateLimits: { requests: 0, jobs: 0, windowSeconds: 60, timeoutMs: 250 },
    failedAuthentications: { limit: 60_000, windowSeconds: 60 },
    maxConnectionsPerAddress: 5_000,
    maxWaitingAuthentications: 1_000,
    trustProxy: undefined,
  });
});

test.each<[string, number | readonly string[]]>([
  ['1', 1],
  ['2', 2],
  ['loopback', ['loopback']],
  ['10.0.0.0/8, 192.0.2.7', ['10.0.0.0/8', '192.0.2.7']],
  ['2001:db8::/32,::1', ['2001:db8::/32', '::1']],
])('TRUST_PROXY accepts %s', (text, trustProxy) => {
  expect(read({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy);
});

test.each([
  ...['0', '60', 'true', 'all', '*', 'proxy.example', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.0/8/8'],
  ...['10.0.0.1,', '10.0.0.0/255.0.0.0', 'fe80::1%eth0', '2001:db8::/129'],
])('TRUST_PROXY refuses %s', (text) => {
  expect(() => read({ TRUST_PROXY: text })).toThrow('TRUST_PROXY: must be the number of proxies in a row');
});

test('the limit of jobs must let the largest request pass', () => {
  expect(() => read({ RATE_LIMIT_JOBS: '9999' })).toThrow('RATE_LIMIT_JOBS: must be 0 or at least');
  expect(read({ RATE_LIMIT_JOBS: '10', MAX_JOBS_PER_REQUEST: '10' }).rateLimits.jobs).toBe(10);
});

test('without HOST, only this machine can connect', () => {
  const { host, operations } = readGatewayConfig({});
  expect([host, operations.adminHost]).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('one account has memory for the largest body that can be configured', () => {
  const { maxBodyBytes, protection } = readGatewayConfig({ MAX_BODY_BYTES: '67108864' });
  expect(maxBodyBytes).toBeLessThanOrEqual((protection.load.maxBufferedBytes * 3) / 4);
});
