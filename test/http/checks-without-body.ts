import { expect } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { expectProblem, type Client } from './client.ts';

/** The headers that every request needs, each missing. */
export const noHeaders = {
  Authorization: undefined,
  Usersecretkey: undefined,
  Origin: undefined,
  'User-Agent': undefined,
};

/**
 * Expects that a request without a body is checked in the order of the contract: credentials, headers, then the query.
 * @param query has a wrong `parameter`, if there is one
 * @returns the answer to correct headers without a query
 */
export async function expectChecksInOrder(
  client: Client,
  { method, path, query, parameter }: { method: string; path: string; query: string; parameter?: string },
): Promise<HttpAnswer> {
  const { token, secretKey, origin } = client.account;
  const ask = (headers: Record<string, string>, sent = query) =>
    client.call({ method, path: path + sent, body: '', headers: { ...noHeaders, ...headers } });
  expectProblem(await ask({}), 'authentication_required');
  const bearer = { Authorization: `Bearer ${token}` };
  expectProblem(await ask({ Authorization: 'Bearer no' }), 'token_invalid');
  expectProblem(await ask(bearer), 'secret_key_invalid');
  const known = { ...bearer, Usersecretkey: secretKey };
  expectProblem(await ask(known), 'origin_not_allowed');
  const allowed = { ...known, Origin: origin };
  expectProblem(await ask(allowed), 'header_invalid', { header: 'User-Agent' });
  const complete = { ...allowed, 'User-Agent': 'shop/1.0' };
  if (parameter === undefined) return ask(complete);
  const { errors } = expectProblem(await ask(complete), 'query_invalid', { header: parameter });
  expect(errors).toMatchObject([{ code: 'query_invalid', parameter }]);
  return ask(complete, '');
}
