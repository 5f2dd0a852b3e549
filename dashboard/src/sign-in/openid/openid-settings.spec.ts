import { expect, test } from '@jest/globals';
import { readOpenId } from './openid-settings.ts';

const values = {
  OPENID_ISSUER: 'https://login.example.com',
  OPENID_CLIENT_ID: 'dashboard',
  OPENID_CLIENT_SECRET: 'secret',
};
const none = { OPENID_TRUST_EMAIL: 'false' as const };

test('a provider has three settings, or none', () => {
  expect(readOpenId(none)).toBeUndefined();
  expect(readOpenId({ ...none, ...values })).toEqual({
    issuer: 'https://login.example.com',
    clientId: 'dashboard',
    clientSecret: 'secret',
    trustEmail: false,
  });
  for (const name of Object.keys(values))
    expect(readOpenId({ ...none, ...values, [name]: undefined })).toContain('must be set together');
});

test('a provider on another machine needs https', () => {
  expect(readOpenId({ ...none, ...values, OPENID_ISSUER: 'http://login.example.com' })).toContain('https');
  expect(readOpenId({ ...none, ...values, OPENID_ISSUER: 'http://127.0.0.1:8090' })).toMatchObject({
    issuer: 'http://127.0.0.1:8090',
  });
});

test('unverified addresses are trusted only with a provider', () => {
  const trusted = { OPENID_TRUST_EMAIL: 'true' as const };
  expect(readOpenId({ ...values, ...trusted })).toMatchObject({ trustEmail: true });
  expect(readOpenId(trusted)).toBe('OPENID_TRUST_EMAIL: needs OPENID_ISSUER');
});
