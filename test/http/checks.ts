import { newJobIds, type ClientCall } from './client.ts';
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
