import { afterAll, expect, test } from '@jest/globals';
import { createReplica, reapReplicas, runJobsDelete } from '../harness/spawn-roles.ts';
import { describeWith } from '../servers/describe-with.ts';
import { freePort } from '../servers/child-process.ts';
import { kafkaTargetOf } from '../servers/unique-storage.ts';
import { clusterEnv, serviceToken, succeed } from './cluster.ts';
import { dropCluster } from './cluster-aftermath.ts';

afterAll(reapReplicas);

describeWith('mongodb', 'the doctor in production', (mongodbUrl) => {
  describeWith('kafka', 'finds the faults of a deployment', (kafkaUrl) => {
    const env = clusterEnv({ mongodbUrl, kafkaUrl });
    afterAll(() => dropCluster({ databaseUrl: env.DATABASE_URL, kafka: kafkaTargetOf(env.EVENT_LOG_URL) }));

    interface Report {
      readonly healthy: boolean;
      readonly findings: readonly {
        subject: string;
        state: string;
        message: string;
        advice: string | null;
      }[];
    }
    const examine = async (differs: NodeJS.ProcessEnv = {}, options: readonly string[] = []) => {
      const args = ['doctor', '--json', ...options];
      const { code, stdout, stderr } = await runJobsDelete(args, { ...env, ...differs });
      expect(stderr).toBe('');
      const { healthy, findings } = JSON.parse(stdout) as Report;
      expect(code).toBe(healthy ? 0 : 1);
      return {
        all: findings.map(({ subject, state }) => `${subject} ${state}`),
        problems: findings.filter(({ state }) => state === 'problem'),
      };
    };

    const about = (subject: string, message: RegExp, advice: RegExp) => ({
      subject,
      state: 'problem',
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
    });
    const readsOnly = 'token-of-one-who-reads-0123456789-0123456789';
    const deletes = 'token-of-one-who-deletes-0123456789-0123456789';

    test('missing indexes and topics, until they are created', async () => {
      const differs = { DELETER_ADDRESS: `127.0.0.1:${String(await freePort())}` };
      const away = about('deleter', /cannot be used: UNAVAILABLE/, /DELETER_ADDRESS/);
      const missing = /^missing: .*deletion-accepted\.v1, .*dead-letter$/;
      expect((await examine(differs)).problems).toEqual([
        about('indexes', /^missing: jobs\.account_job, /, /^Run jobs-delete indexes create\.$/),
        about('topics', missing, /^Run jobs-delete topics create\.$/),
        away,
      ]);
      await succeed(['indexes', 'create'], env);
      await succeed(['topics', 'create', '--partitions', '2'], env);
      expect((await examine(differs)).problems).toEqual([away]);
    });

    test('a gateway that an api refuses, and otherwise only the limits of a single machine', async () => {
      const GRPC_PORT = String(await freePort());
      const DELETER_ADDRESS = `127.0.0.1:${GRPC_PORT}`;
      const roles = {
        ROLES: 'api,relay',
        GRPC_PORT,
        GRPC_CALLERS: 'gateway=delete,search=read,deleting=manage-and-delete',
      };
      const tokens = { GRPC_SERVICE_TOKENS: `${serviceToken},search:${readsOnly},deleting:${deletes}` };
      const apiEnv = { ...env, ...roles, ...tokens };
      const api = createReplica({ name: 'api', program: 'deleter-service', env: apiEnv });
      await api.start();
      expect(await examine({ DELETER_ADDRESS })).toEqual({
        all: [
          ...['configuration ok', 'database ok', 'database warning', 'clock ok', 'indexes ok'],
          ...['event_log warning', ...Array<string>(4).fill('topics warning'), 'deleter ok'],
        ],
        problems: [],
      });

      const ofDashboard = ['--service', 'dashboard'];
      const url = { DELETER_ADDRESS, DASHBOARD_URL: 'https://dashboard.example.com' };
      const reader = { ...url, GRPC_SERVICE_TOKENS: readsOnly };
      expect(await examine(reader, ofDashboard)).toEqual({
        all: [
          ...['configuration ok', 'database ok', 'database warning', 'clock ok', 'indexes ok'],
          ...['dashboard ok', 'deleter ok'],
        ],
        problems: [],
      });
      const deleting = { ...reader, DASHBOARD_DELETES: 'on' };
      expect((await examine(deleting, ofDashboard)).problems).toEqual([
        about('deleter', /does not let the dashboard delete: .*PERMISSION_DENIED/, /'manage-and-delete'/),
      ]);
      const allowed = await examine({ ...deleting, GRPC_SERVICE_TOKENS: deletes }, ofDashboard);
      expect(allowed.all.slice(-2)).toEqual(['deleter ok', 'deleter ok']);
      const unknown = { ...url, GRPC_SERVICE_TOKENS: 'x'.repeat(40) };
      expect((await examine(unknown, ofDashboard)).problems).toEqual([
        about('deleter', /does not let the dashboard read: .*UNAUTHENTICATED/, /GRPC_CALLERS/),
      ]);
      const open = { ...reader, DASHBOARD_URL: 'http://dashboard.example.com' };
      expect((await examine(open, ofDashboard)).problems).toEqual([
        about('dashboard', /is not encrypted/, /HTTPS/),
      ]);

      const denied = (code: string) =>
        about('deleter', new RegExp(`does not let the gateway delete: .*${code}`), /GRPC_CALLERS/);
      const others = { GRPC_CALLERS: 'search=read', GRPC_SERVICE_TOKENS: `search:${readsOnly}` };
      expect((await examine({ DELETER_ADDRESS, ...others })).problems).toEqual([denied('PERMISSION_DENIED')]);
      const wrong = { GRPC_SERVICE_TOKENS: 'x'.repeat(40) };
      expect((await examine({ DELETER_ADDRESS, ...wrong })).problems).toEqual([denied('UNAUTHENTICATED')]);
      expect(await api.stop()).toBe(0);
    });

    test('an unreachable database and brokers, and shows no password', async () => {
      const { problems } = await examine({
        DATABASE_URL: 'mongodb://operator:not-for-logs@127.0.0.1:1/jobs?replicaSet=rs0',
        EVENT_LOG_URL: 'kafka://operator:not-for-logs@127.0.0.1:1?mechanism=plain',
        DELETER_ADDRESS: '127.0.0.1:1',
      });
      expect(problems.map(({ subject }) => subject)).toEqual(['database', 'event_log', 'deleter']);
      expect(JSON.stringify(problems)).not.toMatch(/not-for-logs|operator/);
    });
  });
});
