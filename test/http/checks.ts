import { expect } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { type Client, type ClientCall, expectProblem, newJobIds } from './client.ts';
import type { Code } from './contract.ts';

export interface Check {
  readonly name: string;
  readonly code: Code;
  /** Breaks only this aspect of the call. Keeps its other faults where possible. */
  readonly spoil: (call: ClientCall) => ClientCall;
}

const withHeader = (call: ClientCall, name: string, value: string | undefined): ClientCall => ({
  ...call,
  headers: { ...call.headers, [name]: value },
});
const withIds = (change: (jobIds: readonly string[]) => readonly string[]) => (call: ClientCall) => ({
  ...call,
  jobIds: change(call.jobIds ?? []),
});

/** Returns the checks in their order. @param foreignKey a secret key of another account */
export const checksFor = (foreignKey: () => string): readonly Check[] => [
  { name: 'path', code: 'route_not_found', spoil: (call) => ({ ...call, path: '/v1/json/nothing' }) },
  { name: 'method', code: 'method_not_allowed', spoil: (call) => ({ ...call, method: 'PUT' }) },
  {
    name: 'credential',
    code: 'authentication_required',
    spoil: (call) => withHeader(call, 'Authorization', 'Basic eA=='),
  },
  { name: 'token', code: 'token_invalid', spoil: (call) => withHeader(call, 'Authorization', 'Bearer x') },
  {
    name: 'secret key',
    code: 'secret_key_invalid',
    spoil: (call) => withHeader(call, 'Usersecretkey', foreignKey()),
  },
  { name: 'origin', code: 'origin_not_allowed', spoil: (call) => withHeader(call, 'Origin', 'null') },
  { name: 'header', code: 'header_invalid', spoil: (call) => withHeader(call, 'X-Client-Lang', undefined) },
  {
    name: 'size',
    code: 'body_too_large',
    spoil: (call) => ({ ...call, body: (call.body ?? '').toString().padEnd(5_001) }),
  },
  {
    name: 'body',
    code: 'body_malformed',
    spoil: (call) => ({ ...call, body: '{"jobs":{"job":[5,{"id":"-"}]}}' }),
  },
  { name: 'count', code: 'too_many_jobs', spoil: withIds((jobIds) => [...jobIds, ...newJobIds(10)]) },
  { name: 'id', code: 'job_id_malformed', spoil: withIds((jobIds) => ['-', ...jobIds]) },
  {
    name: 'reused key',
    code: 'idempotency_key_reused',
    spoil: (call) => ({ ...call, idempotencyKey: 'used' }),
  },
  { name: 'ownership', code: 'job_not_found', spoil: withIds((jobIds) => [...newJobIds(1), ...jobIds]) },
];

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
