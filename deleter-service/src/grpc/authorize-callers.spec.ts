import { status, type handleUnaryCall } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { callerOf } from './authorize-callers.ts';
import type { Callers } from './callers.ts';
import { startGrpcServer } from './start-grpc-server.ts';
import { CallError, connectTestClient, type CallOptions, type TestClient } from './testing/test-client.ts';

const tokens = [
  { caller: 'gateway', token: 'first-token-of-the-two-that-are-valid' },
  { caller: 'gateway', token: 'other-token-of-the-two-that-are-valid' },
  { caller: 'search', token: 'the-token-of-the-search-that-may-read' },
  { caller: 'dashboard', token: 'the-token-of-the-dashboard-that-manages' },
  { caller: 'deleting-dashboard', token: 'the-token-of-the-dashboard-that-deletes' },
  { caller: 'without-role', token: 'the-token-of-one-who-has-no-role-here' },
];
const [first = '', second = '', search = '', dashboard = '', deletingDashboard = '', withoutRole = ''] =
  tokens.map(({ token }) => token);
const callers: Callers = {
  tokens,
  roles: new Map([
    ['gateway', 'delete'],
    ['search', 'read'],
    ['dashboard', 'manage'],
    ['deleting-dashboard', 'manage-and-delete'],
  ]),
};

describe('callers with service tokens', () => {
  const stops: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  const start = async () => {
    const reached: string[] = [];
    const seen: (string | undefined)[] = [];
    const answer =
      <Request>(name: string): handleUnaryCall<Request, object> =>
      ({ metadata }, callback) => {
        reached.push(name);
        seen.push(callerOf(metadata));
        callback(null, {});
      };
    const handlers: DeleterServiceHandlers = {
      DeleteJobs: answer('DeleteJobs'),
      AcceptDeletions: (call) => {
        reached.push('AcceptDeletions');
        call.end();
      },
      CancelDeletion: answer('CancelDeletion'),
      GetDeletion: answer('GetDeletion'),
      ListDeletions: answer('ListDeletions'),
      CountDeletions: answer('CountDeletions'),
      ListJobs: answer('ListJobs'),
      GetJob: answer('GetJob'),
      GetJobTitles: answer('GetJobTitles'),
      SearchJobs: answer('SearchJobs'),
      CountJobs: answer('CountJobs'),
      WatchDeletion: (call) => {
        reached.push('WatchDeletion');
        call.end();
      },
      GetSafetyRules: answer('GetSafetyRules'),
      ChangeSafetyRules: answer('ChangeSafetyRules'),
      AllowDeletions: answer('AllowDeletions'),
    };
    const server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers });
    stops.push(() => server.stop(100));
    const client = connectTestClient(server.port);
    stops.push(() => client.close());
    /** The answer of each method. */
    const callAll = async (options: CallOptions) => {
      const codes: Record<string, string> = {};
      for (const [name, call] of Object.entries(methods)) codes[name] = await codeOf(call(client, options));
      return codes;
    };
    return { reached, seen, client, callAll };
  };

  const methods: Record<string, (client: TestClient, options: CallOptions) => Promise<unknown>> = {
    DeleteJobs: (client, options) => client.deleteJobs({}, options),
    AcceptDeletions: async (client, options) => {
      for await (const outcome of client.acceptDeletions([], options))
        throw new Error(`unexpected: ${String(outcome.number)}`);
    },
    CancelDeletion: (client, options) => client.cancelDeletion({}, options),
    GetDeletion: (client, options) => client.getDeletion({}, options),
    ListDeletions: (client, options) => client.listDeletions({}, options),
    CountDeletions: (client, options) => client.countDeletions({}, options),
    ListJobs: (client, options) => client.listJobs({}, options),
    GetJob: (client, options) => client.getJob({}, options),
    GetJobTitles: (client, options) => client.getJobTitles({}, options),
    SearchJobs: (client, options) => client.searchJobs({}, options),
    CountJobs: (client, options) => client.countJobs({}, options),
    WatchDeletion: async (client, options) => {
      for await (const { id } of client.watchDeletion({}, options)) throw new Error(`unexpected: ${id}`);
    },
    GetSafetyRules: (client, options) => client.getSafetyRules({}, options),
    ChangeSafetyRules: (client, options) => client.changeSafetyRules({}, options),
    AllowDeletions: (client, options) => client.allowDeletions({}, options),
  };
  const codeOf = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'OK';
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return status[error.code];
    }
  };
  const all = (code: string) => Object.fromEntries(Object.keys(methods).map((name) => [name, code]));
  const allBut = (denied: readonly string[]) => ({
    ...all('OK'),
    ...Object.fromEntries(denied.map((name) => [name, 'PERMISSION_DENIED'])),
  });

  test('these are all methods of the service', () => {
    expect(Object.keys(methods)).toEqual(Object.keys(DeleterService.service));
  });

  test.each([first, second])(
    'one that may delete can’t change safety rules, by any one of its tokens: %s',
    async (token) => {
      const { callAll, reached } = await start();
      const denied = ['ChangeSafetyRules', 'AllowDeletions'];
      expect(await callAll({ token })).toEqual(allBut(denied));
      expect(reached).toEqual(Object.keys(methods).filter((name) => !denied.includes(name)));
    },
  );

  test('one that manages cancels and changes safety rules, and can’t delete', async () => {
    const { callAll, reached } = await start();
    const denied = ['DeleteJobs', 'AcceptDeletions'];
    expect(await callAll({ token: dashboard })).toEqual(allBut(denied));
    expect(reached).toEqual(Object.keys(methods).filter((name) => !denied.includes(name)));
  });

  test('one that manages and deletes does both, and opens no stream of deletions', async () => {
    const { callAll, reached } = await start();
    const denied = ['AcceptDeletions'];
    expect(await callAll({ token: deletingDashboard })).toEqual(allBut(denied));
    expect(reached).toEqual(Object.keys(methods).filter((name) => !denied.includes(name)));
  });

  test('a caller with the role read can’t delete or change anything', async () => {
    const { callAll, client, reached } = await start();
    const denied = ['DeleteJobs', 'AcceptDeletions', 'CancelDeletion', 'ChangeSafetyRules', 'AllowDeletions'];
    expect(await callAll({ token: search })).toEqual(allBut(denied));
    const ofDeletions = ['GetDeletion', 'ListDeletions', 'CountDeletions'];
    const ofJobs = ['ListJobs', 'GetJob', 'GetJobTitles', 'SearchJobs', 'CountJobs'];
    expect(reached).toEqual([...ofDeletions, ...ofJobs, 'WatchDeletion', 'GetSafetyRules']);
    await expect(client.deleteJobs({ dryRun: true }, { token: search })).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
      message: 'search may not call /jobs.deleter.v1.DeleterService/DeleteJobs.',
    });
  });

  test('a handler gets the proven name of its caller', async () => {
    const { client, seen } = await start();
    await client.deleteJobs({}, { token: second });
    await client.getDeletion({}, { token: search });
    expect(seen).toStrictEqual(['token:gateway', 'token:search']);
  });

  test('a caller without a role can call nothing', async () => {
    const { callAll, reached } = await start();
    expect(await callAll({ token: withoutRole })).toEqual(all('PERMISSION_DENIED'));
    expect(reached).toEqual([]);
  });

  test.each<[string, CallOptions]>([
    ['no token', {}],
    ['another token', { token: 'x'.repeat(37) }],
    ['an empty one', { token: '' }],
    ['the beginning of one', { token: first.slice(0, -1) }],
    ['one in the wrong case', { token: first.toUpperCase() }],
    ['the name before it', { token: `gateway:${first}` }],
  ])('UNAUTHENTICATED with %s, and no handler is reached', async (_, options) => {
    const { callAll, reached } = await start();
    expect(await callAll(options)).toEqual(all('UNAUTHENTICATED'));
    expect(reached).toEqual([]);
  });
});
