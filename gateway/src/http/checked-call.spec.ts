import { expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { checkedCall, type CheckedCallOptions } from './checked-call.ts';
import { deletionEndpoint, endpoints, jobsEndpoint, whoamiEndpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

test.each([...endpoints, deletionEndpoint, jobsEndpoint, whoamiEndpoint])(
  '$path tells where the request goes, and the sandbox records no refusal',
  async (endpoint) => {
    const refused: string[] = [];
    const environments: string[] = [];
    const authenticator: Authenticator = {
      authenticateToken: (_, { environment = 'live' } = {}) => {
        environments.push(environment);
        return Promise.resolve({ accountId: 'Acme', tokenId: 't', allowedDomains: [] });
      },
      verifySecretKey: (_, __, { environment = 'live' } = {}) => {
        environments.push(environment);
        return Promise.resolve('secret_key_invalid');
      },
      recordUse: () => undefined,
      recordRefusal: (tokenId) => void refused.push(tokenId),
    };
    const headersDistinct = { authorization: ['Bearer right'], usersecretkey: ['wrong'] };
    const exchange = {
      request: { method: endpoint.methods[0], headersDistinct },
      facts: {},
    } as unknown as Exchange;
    const options = { authenticator, loadShedder: { isFull: () => false } } as unknown as CheckedCallOptions;
    const call = checkedCall(endpoint, () => Promise.reject(new Error('not refused')));
    expect(await call(exchange, options)).toMatchObject({ code: 'secret_key_invalid' });
    expect(refused).toEqual(endpoint.sandbox ? [] : ['t']);
    const environment = endpoint.sandbox ? 'sandbox' : 'live';
    expect(environments).toEqual([environment, environment]);
  },
);
