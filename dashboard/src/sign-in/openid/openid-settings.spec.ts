import { expect, test } from '@jest/globals';
import { readOpenId } from './openid-settings.ts';

const values = {
  OPENID_ISSUER: 'https://login.example.com',
  OPENID_CLIENT_ID: 'dashboard',
  OPENID_CLIENT_SECRET: 'secret',
};

test('a provider has three settings, or none', () => {
  expect(readOpenId({})).toBeUndefined();
  expect(readOpenId(values)).toEqual({
    issuer: 'https://login.example.com',
    clientId: 'dashboard',
    clientSecret: 'secret',
  });
  for (const name of Object.keys(values))
    expect(readOpenId({ ...values, [name]: undefined })).toContain('must be set together');
});

test('a provider on another machine needs https', () => {
  expect(readOpenId({ ...values, OPENID_ISSUER: 'http://login.example.com' })).toContain('https');
  expect(readOpenId({ ...values, OPENID_ISSUER: 'http://127.0.0.1:8090' })).toMatchObject({
    issuer: 'http://127.0.0.1:8090',
  });
});

test('a required domain or group needs a provider', () => {
  const required = { OPENID_HOSTED_DOMAIN: 'example.com', OPENID_GROUP: 'operations' };
  expect(readOpenId({ ...values, ...required })).toMatchObject({
    hostedDomain: 'example.com',
    group: 'operations',
  });
  expect(readOpenId(required)).toContain('OPENID_ISSUER: must be set');
});
