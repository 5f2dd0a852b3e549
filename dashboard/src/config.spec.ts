import { expect, test } from '@jest/globals';
import { readDashboardConfig } from './config.ts';

test('an invalid address of the deleter is named', () => {
  expect(() => readDashboardConfig({ DELETER_ADDRESS: 'http://api' })).toThrow(
    'DELETER_ADDRESS: must be HOST:PORT',
  );
});

test('all problems are named together', () => {
  const env = {
    DATABASE_URL: 'mongodb://db:27017/jobs',
    GRPC_TLS_CERT: 'cert.pem',
    OPENID_CLIENT_ID: 'shop',
  };
  expect(() => readDashboardConfig(env)).toThrow(
    expect.objectContaining({
      problems: expect.arrayContaining([
        expect.stringContaining('CREDENTIAL_PEPPER: must be set'),
        expect.stringContaining('GRPC_TLS_KEY: must be set'),
        expect.stringContaining('must be set together with OPENID_CLIENT_ID'),
      ]) as unknown,
    }),
  );
});

test('the address of the API has the base path', () => {
  const { apiUrl, internalApiUrl } = readDashboardConfig({
    PUBLIC_URL: 'https://api.example.com/',
    DASHBOARD_API_URL: 'http://gateway:8080',
    BASE_PATH: '/v',
  });
  expect([apiUrl, internalApiUrl]).toEqual(['https://api.example.com/v', 'http://gateway:8080/v']);
});

test('without HOST, only this machine can connect', () => {
  const { host, operations } = readDashboardConfig({});
  expect([host, operations.adminHost]).toEqual(['127.0.0.1', '127.0.0.1']);
});
