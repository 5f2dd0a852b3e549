import { describe, expect, test } from '@jest/globals';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { createAuthority, mountSecret } from '@jobs-delete/runtime/testing/certificates';
import { readDeleterConfig } from './config.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const refusal = (env: NodeJS.ProcessEnv): StartupError => {
  try {
    readDeleterConfig(env);
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};
const token = 'x'.repeat(32);
const servers = { DATABASE_URL: 'mongodb://db/jobs', EVENT_LOG_URL: 'kafka://broker:9092' };

describe('the configuration of the deleter service', () => {
  test('has defaults: every role, embedded storage, loopback', () => {
    const config = readDeleterConfig({});
    expect(config).toMatchObject({
      roles: new Set(['api', 'relay', 'worker']),
      dataDir: './data',
      database: { kind: 'sqlite' },
      eventLog: { kind: 'embedded' },
      grpc: { host: '127.0.0.1', port: 50_051, callers: undefined },
      maxJobsPerRequest: 10_000,
      jobDeletedEvents: true,
      receiptRetentionMs: 90 * 86_400_000,
      eventRetentionMs: 7 * 86_400_000,
      shutdownTimeoutMs: 10_000,
      logLevel: 'info',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('reads each variable, and treats an empty one as absent', () => {
    const config = readDeleterConfig({
      ...servers,
      ROLES: 'relay, api',
      GRPC_HOST: '0.0.0.0',
      GRPC_PORT: '0',
      GRPC_SERVICE_TOKENS: `${token}, gateway:${token}2,search:${token}3`,
      GRPC_CALLERS: 'gateway=delete, search=read',
      MAX_JOBS_PER_REQUEST: '500',
      JOB_DELETED_EVENTS: 'off',
      RECEIPT_RETENTION_DAYS: '9',
      SHUTDOWN_TIMEOUT_MS: '0',
      LOG_LEVEL: 'silent',
      JOBS_COLLECTION: 'postings',
      DATA_DIR: '',
    });
    expect(config).toMatchObject({
      roles: new Set(['api', 'relay']),
      dataDir: './data',
      database: { kind: 'mongodb', url: 'mongodb://db/jobs' },
      eventLog: { kind: 'kafka', brokers: ['broker:9092'] },
      jobsMapping: { collection: 'postings' },
      grpc: {
        host: '0.0.0.0',
        port: 0,
        callers: {
          tokens: [
            { caller: 'gateway', token },
            { caller: 'gateway', token: `${token}2` },
            { caller: 'search', token: `${token}3` },
          ],
          roles: new Map([
            ['gateway', 'delete'],
            ['search', 'read'],
          ]),
        },
      },
      maxJobsPerRequest: 500,
      jobDeletedEvents: false,
      receiptRetentionMs: 9 * 86_400_000,
      eventRetentionMs: 7 * 86_400_000,
      shutdownTimeoutMs: 0,
      logLevel: 'silent',
    });
  });

  test.each([
    ['ROLES', 'api,painter'],
    ['DATABASE_URL', 'postgres://db'],
    ['EVENT_LOG_URL', 'amqp://broker'],
    ['GRPC_PORT', '65536'],
    ['GRPC_PORT', '-1'],
    ['GRPC_PORT', '50e3'],
    ['GRPC_SERVICE_TOKENS', 'short'],
    ['GRPC_SERVICE_TOKENS', `${token},`],
    ['GRPC_SERVICE_TOKENS', `search:short`],
    ['GRPC_SERVICE_TOKENS', `gateway:${token},search:${token}`],
    ['GRPC_CALLERS', 'gateway'],
    ['GRPC_CALLERS', 'gateway=write'],
    ['GRPC_CALLERS', 'gateway=Delete'],
    ['GRPC_CALLERS', '=delete'],
    ['GRPC_CALLERS', '*=read'],
    ['GRPC_CALLERS', 'gateway=delete,'],
    ['GRPC_CALLERS', 'gateway=delete,gateway=read'],
    ['MAX_JOBS_PER_REQUEST', '0'],
    ['MAX_JOBS_PER_REQUEST', '10001'],
    ['JOB_DELETED_EVENTS', 'yes'],
    ['RECEIPT_RETENTION_DAYS', '6'],
    ['RECEIPT_RETENTION_DAYS', '3651'],
    ['SHUTDOWN_TIMEOUT_MS', 'soon'],
    ['LOG_LEVEL', 'loud'],
    ['JOBS_ID_FIELD', '$where'],
  ])('refuses %s=%s, naming it', (name, value) => {
    const { message, exitCode } = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^  ${name}: must (be|not) `, 'm'));
    expect(exitCode).toBe(2);
  });

  test('reports every problem at once', () => {
    const { message } = refusal({ GRPC_PORT: 'x', LOG_LEVEL: 'loud', JOB_DELETED_EVENTS: 'perhaps' });
    const named = [...message.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(['GRPC_PORT', 'JOB_DELETED_EVENTS', 'LOG_LEVEL']);
  });

  test('does not show a password or a token', () => {
    const { message } = refusal({
      DATABASE_URL: 'postgres://user:s3cret@db',
      EVENT_LOG_URL: 'amqp://user:s3cret@broker',
      GRPC_SERVICE_TOKENS: 's3cret',
      GRPC_CALLERS: 's3cret',
    });
    expect(message).not.toContain('s3cret');
  });

  test.each([
    [{ ROLES: 'api' }],
    [{ ROLES: 'api,relay', ...servers, EVENT_LOG_URL: 'embedded:' }],
    [{ ROLES: 'worker', ...servers, DATABASE_URL: 'sqlite:/tmp/x.db' }],
  ])('wants every role in one process on embedded storage: not %j', (env) => {
    expect(refusal(env).message).toMatch(/^ {2}ROLES: must be api,relay,worker on embedded storage/m);
  });

  test('requires tokens if other machines can connect', () => {
    expect(refusal({ GRPC_HOST: '0.0.0.0' }).message).toMatch(/^ {2}GRPC_SERVICE_TOKENS: must be set/m);
    expect(readDeleterConfig({ GRPC_HOST: '0.0.0.0', GRPC_SERVICE_TOKENS: token }).grpc.host).toBe('0.0.0.0');
    for (const host of ['127.0.0.1', '::1', 'localhost'])
      expect(readDeleterConfig({ GRPC_HOST: host }).grpc.callers).toBeUndefined();
  });

  describe('with certificates', () => {
    const authority = createAuthority('the authority');
    const issued = { ...authority.issue(['deleter']), trusted: authority.certificate };
    const { files } = mountSecret(temporaryFolder()('secret'), issued);

    test('needs no tokens, and a role for each caller', () => {
      const env = {
        ...files,
        GRPC_HOST: '0.0.0.0',
        GRPC_CALLERS: 'gateway=delete,spiffe://jobs/search=read',
      };
      expect(readDeleterConfig(env)).toMatchObject({
        tls: files,
        grpc: {
          callers: {
            tokens: [],
            roles: new Map([
              ['gateway', 'delete'],
              ['spiffe://jobs/search', 'read'],
            ]),
          },
        },
      });
      expect(refusal(files).message).toMatch(/^ {2}GRPC_CALLERS: must be set where GRPC_TLS_CA is/m);
    });

    test('reports their problems together with the others', () => {
      const env = {
        ...files,
        GRPC_TLS_KEY: '/none',
        GRPC_TLS_CA: '',
        GRPC_SERVICE_TOKENS: `search:${token}`,
      };
      const { message } = refusal({ ...env, ROLES: 'api' });
      expect([...message.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name)).toEqual([
        'GRPC_TLS_CA',
        'GRPC_CALLERS',
        'ROLES',
      ]);
      expect(refusal({ ...files, GRPC_TLS_KEY: '/none' }).message).toContain(
        'GRPC_TLS_KEY: cannot read /none (ENOENT)',
      );
    });

    test('needs no security settings without the role api', () => {
      const env = {
        ...servers,
        ROLES: 'worker',
        GRPC_HOST: '0.0.0.0',
        GRPC_TLS_CERT: '/none',
        GRPC_CALLERS: 'x=read',
      };
      expect(readDeleterConfig(env)).toMatchObject({ tls: undefined, grpc: { callers: undefined } });
    });
  });

  test('treats a token without a name as the gateway’s, which may delete', () => {
    expect(readDeleterConfig({ GRPC_SERVICE_TOKENS: token }).grpc.callers).toEqual({
      tokens: [{ caller: 'gateway', token }],
      roles: new Map([['gateway', 'delete']]),
    });
  });

  test.each([
    [
      { GRPC_SERVICE_TOKENS: `search:${token}` },
      'GRPC_CALLERS: must name a role for search, who has a token in GRPC_SERVICE_TOKENS',
    ],
    [
      { GRPC_SERVICE_TOKENS: token, GRPC_CALLERS: 'search=read,gateway=delete' },
      'GRPC_SERVICE_TOKENS: must have a token for search, who is in GRPC_CALLERS',
    ],
    [
      { GRPC_CALLERS: 'gateway=delete' },
      'GRPC_SERVICE_TOKENS: must have a token for gateway, who is in GRPC_CALLERS',
    ],
  ])('refuses a token without a role, and a role that nobody can have: %j', (env, problem) => {
    expect(refusal(env).message).toBe(`The configuration is not valid:\n  ${problem}`);
  });
});
