import { expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { checkedCall, type CheckedCallOptions } from './checked-call.ts';
import { endpoints } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

test.each(endpoints)('$path records a refused credential unless it is a test', async (endpoint) => {
  const refused: string[] = [];
  const recorded: boolean[] = [];
  const authenticator: Authenticator = {
    authenticateToken: (_, { recordsRefusal = true } = {}) => {
      recorded.push(recordsRefusal);
      return Promise.resolve({ accountId: 'Acme', tokenId: 't', allowedDomains: [] });
    },
    verifySecretKey: (_, __, { recordsRefusal = true } = {}) => {
      recorded.push(recordsRefusal);
      return Promise.resolve('secret_key_invalid');
    },
    recordUse: () => undefined,
    recordRefusal: (tokenId) => void refused.push(tokenId),
  };
  const headersDistinct = { authorization: ['Bearer right'], usersecretkey: ['wrong'] };
  const exchange = { request: { method: 'DELETE', headersDistinct }, facts: {} } as unknown as Exchange;
  const options = { authenticator, loadShedder: { isFull: () => false } } as unknown as CheckedCallOptions;
  const call = checkedCall(endpoint, () => Promise.reject(new Error('not refused')));
  expect(await call(exchange, options)).toMatchObject({ code: 'secret_key_invalid' });
  expect(refused).toEqual(endpoint.sandbox ? [] : ['t']);
  expect(recorded).toEqual([!endpoint.sandbox, !endpoint.sandbox]);
});
