import { Client, credentials, status, type ChannelCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { createAuthority, mountSecret, type Issued } from '@jobs-delete/runtime/testing/certificates';
import { watchCertificates, type WatchedCertificates } from '@jobs-delete/runtime/tls/watch-certificates';
import { HealthImplementation, service as healthService } from 'grpc-health-check';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { callerOf } from './authorize-callers.ts';
import type { Callers } from './callers.ts';
import { startGrpcServer, type GrpcServer } from './start-grpc-server.ts';
import { CallError, connectTestClient } from './testing/test-client.ts';
import { unusedHandlers } from '../testing/unused-handlers.ts';

const newPath = temporaryFolder();
const authority = createAuthority('the authority');
const otherAuthority = createAuthority('another authority');
const spiffe = 'spiffe://jobs.example/ns/search/sa/indexer';
const token = 'the-token-of-the-reports-that-may-read';
const callers: Callers = {
  tokens: [{ caller: 'reports', token }],
  roles: new Map([
    ['gateway.jobs.svc', 'delete'],
    [spiffe, 'read'],
    ['reports', 'read'],
  ]),
};

describe('callers with client certificates', () => {
  let certificates: WatchedCertificates;
  let server: GrpcServer;
  const reached: string[] = [];
  let seen: string | undefined;

  beforeAll(async () => {
    const handlers: DeleterServiceHandlers = {
      ...unusedHandlers,
      DeleteJobs: ({ metadata }, callback) => {
        reached.push('DeleteJobs');
        seen = callerOf(metadata);
        callback(null, {});
      },
      GetDeletion: (_, callback) => {
        reached.push('GetDeletion');
        callback(null, {});
      },
    };
    const { files } = mountSecret(newPath('server'), {
      ...authority.issue(['localhost']),
      trusted: authority.certificate,
    });
    certificates = watchCertificates(files, { log: { info: () => undefined, warn: () => undefined } });
    const health = new HealthImplementation({ '': 'SERVING' });
    server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers, certificates, health });
  });
  afterAll(async () => {
    await server.stop(100);
    certificates.stop();
  });

  const withCertificate = (own?: Issued, trusted = authority.certificate): ChannelCredentials =>
    credentials.createSsl(
      Buffer.from(trusted),
      own ? Buffer.from(own.key) : null,
      own ? Buffer.from(own.certificate) : null,
    );
  /** The answers to deleting and reading, and the calls that reached the handlers. */
  const outcome = async (security: ChannelCredentials, options: { readonly token?: string } = {}) => {
    const client = connectTestClient(server.port, 'localhost', security);
    reached.length = 0;
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'OK',
        (error: unknown) => (error instanceof CallError ? status[error.code] : String(error)),
      );
    try {
      const codes = [
        await codeOf(client.deleteJobs({}, options)),
        await codeOf(client.getDeletion({}, options)),
      ];
      return { codes, reached: [...reached] };
    } finally {
      client.close();
    }
  };
  const both = ['DeleteJobs', 'GetDeletion'];
  const refused = (code: string) => ({ codes: [code, code], reached: [] });
  const reading = { codes: ['PERMISSION_DENIED', 'OK'], reached: ['GetDeletion'] };

  test.each<[string, string[], object]>([
    ['a DNS name that may delete', ['gateway.jobs.svc'], { codes: ['OK', 'OK'], reached: both }],
    [
      'several names, one of which may',
      ['pod-1.jobs.svc', 'gateway.jobs.svc'],
      { codes: ['OK', 'OK'], reached: both },
    ],
    ['a SPIFFE id that may read', [spiffe], reading],
    ['a name that has no role', ['unknown.jobs.svc'], refused('PERMISSION_DENIED')],
    ['a name of a service token', ['gateway'], refused('PERMISSION_DENIED')],
    ['a wildcard', ['*.jobs.svc'], refused('PERMISSION_DENIED')],
    ['a name in the wrong case', ['Gateway.jobs.svc'], refused('PERMISSION_DENIED')],
    ['a name that is two in one', ['x, DNS:gateway.jobs.svc'], refused('PERMISSION_DENIED')],
    ['the beginning of a name', ['gateway.jobs.sv'], refused('PERMISSION_DENIED')],
    ['no name', [], refused('PERMISSION_DENIED')],
  ])('%s', async (_, names, expected) => {
    expect(await outcome(withCertificate(authority.issue(names)))).toEqual(expected);
  });

  test('an untrusted, expired, future or missing certificate is UNAUTHENTICATED', async () => {
    const names = ['gateway.jobs.svc'];
    const wrong = [
      otherAuthority.issue(names),
      authority.issue(names, { to: new Date(Date.now() - 1_000) }),
      authority.issue(names, { from: new Date(Date.now() + 1_000_000) }),
      undefined,
    ];
    for (const own of wrong) expect(await outcome(withCertificate(own))).toEqual(refused('UNAUTHENTICATED'));
  });

  test('a handler gets the name that gives the right', async () => {
    await outcome(withCertificate(authority.issue(['pod-1.jobs.svc', 'gateway.jobs.svc'])));
    expect(seen).toBe('certificate:gateway.jobs.svc');
  });

  test('a service token needs no certificate, and decides alone if there is one', async () => {
    expect(await outcome(withCertificate(), { token })).toEqual(reading);
    const own = authority.issue(['gateway.jobs.svc']);
    expect(await outcome(withCertificate(own), { token })).toEqual(reading);
    expect(await outcome(withCertificate(own), { token: 'wrong' })).toEqual(refused('UNAUTHENTICATED'));
  });

  test('a caller without TLS, or without trust in the server, can’t connect', async () => {
    const own = authority.issue(['gateway.jobs.svc']);
    expect(await outcome(credentials.createInsecure())).toEqual(refused('UNAVAILABLE'));
    expect(await outcome(withCertificate(own, otherAuthority.certificate))).toEqual(refused('UNAVAILABLE'));
  });

  test('a probe needs no certificate', async () => {
    const probe = new Client(`localhost:${String(server.port)}`, withCertificate(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    const { path, requestSerialize, responseDeserialize } = healthService.Check ?? {};
    if (path === undefined || !requestSerialize || !responseDeserialize) throw new Error('there is no Check');
    const answer = await new Promise((resolve, reject) => {
      probe.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { service: '' },
        (error, response) => {
          if (error) reject(error);
          else resolve(response);
        },
      );
    });
    probe.close();
    expect(answer).toMatchObject({ status: 'SERVING' });
  });
});
