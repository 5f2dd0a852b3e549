import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { JobsDeleteClient } from '@jobs-delete/client';
import { readDashboardConfig } from '@jobs-delete/dashboard/config';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { isSecret, type Variables } from '@jobs-delete/runtime/config/variables';
import { openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import fc from 'fast-check';
import { readCliConfig, serveVariables } from './config.ts';
import { callerVariables, readCaller } from './delete/read-caller.ts';
import type { Io } from './io.ts';

const anyText = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 });
/** Characters that end a part of a URL, among letters and digits that no message has in a row. */
const delimiters = fc.string({
  unit: fc.constantFrom(...Array.from('QZXJ5790/@/@:?#%[]&=,;.+ \n\\\'"$-_~')),
  minLength: 4,
  maxLength: 30,
});
/** What looks like options of the drivers. */
const options = fc
  .array(fc.tuple(fc.constantFrom('tls', 'QZXJ57', 'authSource', 'w', 'readConcernLevel'), delimiters), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
const password = fc.oneof(anyText, delimiters, options);

const folder = mkdtempSync(join(tmpdir(), 'secrets-in-urls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readers = {
  gateway: readGatewayConfig,
  deleter: readDeleterConfig,
  command: readCliConfig,
  dashboard: readDashboardConfig,
  caller: (env: NodeJS.ProcessEnv) => readCallerFor(env),
};

/** Adds what the reader writes to its error. */
function readCallerFor(env: NodeJS.ProcessEnv): void {
  let written = '';
  // The function writes only.
  const stderr = { write: (text: string) => (written += text) !== '' } as unknown as Io['stderr'];
  const options = { token: 'a-token', secretKey: 'a-key', origin: 'https://example.com' };
  try {
    readCaller({ env: { XDG_CONFIG_HOME: folder, ...env }, stderr }, options);
    throw new Error('read');
  } catch (error) {
    throw new Error(written, { cause: error });
  }
}

const databaseUrls: readonly ((text: string) => string)[] = [
  (text) => `mongodb://user:${text}@127.0.0.1:1/jobs`,
  (text) => `mongodb://user:${text}@db.example/jobs`,
  (text) => `mongodb://${text}@db.example/jobs?tls=true`,
  (text) => `mongodb+srv://user:${text}@db.example/jobs?tls=false`,
  (text) => `mongodb://127.0.0.1:1/jobs?tlsCertificateKeyFilePassword=${text}`,
  (text) => `mongodb://127.0.0.1:1/jobs?authMechanismProperties=AWS_SESSION_TOKEN:${text}`,
  (text) => `mongodb://127.0.0.1:1/${text}`,
  (text) => `mongodb:user:${text}@db.example/jobs`,
  (text) => `sqlite://user:${text}@db.example/jobs`,
  (text) => `sqlite:libsql://db.example?authToken=${text}`,
  (text) => `postgres://user:${text}@db.example/jobs`,
  (text) => text,
];
/** URLs of services whose messages show them, so that they must not have a password. */
const serviceUrls: readonly ((text: string) => string)[] = [
  (text) => `https://user:${text}@service.example`,
  (text) => `https://${text}@service.example/path`,
  (text) => `http://user:${text}@127.0.0.1:1`,
  (text) => `ftp://user:${text}@service.example`,
  (text) => `https://service.example?token=${text}`,
  (text) => `https://service.example:${text}`,
  (text) => text,
];
const urls: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  DATABASE_URL: databaseUrls,
  ACCOUNTS_DATABASE_URL: databaseUrls,
  EVENT_LOG_URL: [
    (text) => `kafka://user:${text}@kafka.example:9092`,
    (text) => `kafka://user:${text}@kafka.example:9092?tls=true&mechanism=plain`,
    (text) => `kafka://${text}:password@kafka.example:9092?tls=true`,
    (text) => `kafka://kafka.example:9092?password=${text}`,
    (text) => `kafka://kafka.example:9092?mechanism=${text}`,
    (text) => `kafka:user:${text}@kafka.example:9092`,
    (text) => text,
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrls,
  OPENID_ISSUER: serviceUrls,
  PUBLIC_URL: serviceUrls,
  DASHBOARD_URL: serviceUrls,
  DASHBOARD_API_URL: serviceUrls,
  JOBS_DELETE_BASE_URL: serviceUrls,
  DELETER_ADDRESS: [(text) => `user:${text}@api.example:50051`, (text) => `dns:///user:${text}@api:50051`],
  GRPC_SERVICE_TOKENS: [(text) => `gateway:${text}`, (text) => `${text},${text}`],
  CREDENTIAL_PEPPER: [(text) => text],
  CREDENTIAL_PEPPER_PREVIOUS: [(text) => text],
};
const cases = Object.entries(urls).flatMap(([name, shapes]) =>
  shapes.map((urlOf) => [name, urlOf('PASSWORD'), urlOf] as const),
);

const all: Variables = { ...serveVariables, ...callerVariables };
const secretVariables = Object.keys(all).filter((name) => isSecret(all[name]));

const openIdClient = { OPENID_CLIENT_ID: 'dashboard', OPENID_CLIENT_SECRET: 'a client secret' };

/** Returns the messages and properties of an error and of its causes. The first line of a stack is the message. */
function shownBy(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? '' : JSON.stringify(error);
  return [error.message, JSON.stringify(error), shownBy(error.cause)].join('\n');
}

/** Passwords that lead to each message: a valid one, and those with a wrong character or encoding. */
const others = ['~~~~~~~~', '%zz', '@/:', '~&~=~', ''];

/** Fails if `shown` has four characters in a row of the password that no message for another password has. */
function expectNoPiece(text: string, shown: string, withOthers: string): void {
  for (const secret of [text, encodeURIComponent(text)])
    for (let start = 0; start + 4 <= secret.length; start++) {
      const piece = secret.slice(start, start + 4);
      if (shown.includes(piece) && !withOthers.includes(piece))
        throw new Error(`${JSON.stringify(piece)} of ${JSON.stringify(secret)} is in: ${shown}`);
    }
}

describe.each(Object.entries(readers))('the configuration of the %s', (_, read) => {
  test.each(cases)('%s=%s: no message has a piece of the password', (name, _shape, urlOf) => {
    const messageFor = (text: string) =>
      shownBy(failureOf(() => read({ ...openIdClient, [name]: urlOf(text) })));
    const withOthers = others.map(messageFor).join('\n');
    fc.assert(
      fc.property(password, (text) => expectNoPiece(text, messageFor(text), withOthers)),
      { numRuns: 60 },
    );
  });
});

describe.each(Object.entries(readers))('the files of the %s', (_, read) => {
  const file = join(folder, 'secret');
  const withContents = (text: string) => {
    writeFileSync(file, text);
    return file;
  };
  test.each(
    secretVariables.flatMap((name) => [
      [`${name}_FILE`, 'contents', withContents] as const,
      [`${name}_FILE`, 'path', (text: string) => text] as const,
    ]),
  )('no message for %s has a piece of its %s', (name, _part, valueOf) => {
    const messageFor = (text: string) => shownBy(failureOf(() => read({ [name]: valueOf(text) })));
    const withOthers = others.map(messageFor).join('\n');
    fc.assert(
      fc.property(password, (text) => expectNoPiece(text, messageFor(text), withOthers)),
      { numRuns: 15 },
    );
  });
});

const withPassword = [
  'https://user:s3cret@service.example',
  'https://user:1/s3cret@service.example',
  'https://s3cret@service.example',
  'http://user:s3cret@127.0.0.1:1/api',
  'https://service.example?token=s3cret',
  'https://service.example#s3cret',
];

describe.each(withPassword)('%s', (url) => {
  test.each([
    ['gateway', 'PUBLIC_URL'],
    ['gateway', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['dashboard', 'OPENID_ISSUER'],
    ['dashboard', 'PUBLIC_URL'],
    ['dashboard', 'DASHBOARD_URL'],
    ['dashboard', 'DASHBOARD_API_URL'],
    ['command', 'DASHBOARD_URL'],
  ] as const)('the %s refuses it as %s', (reader, name) => {
    expect(failureOf(() => readers[reader]({ ...openIdClient, [name]: url }))).toMatchObject({
      problems: [expect.stringMatching(`^${name}: must be`)],
    });
  });

  test('the command line and the client refuse it as the address of the service', () => {
    const caller = failureOf(() => readers.caller({ JOBS_DELETE_BASE_URL: url }));
    expect(shownBy(caller)).toContain('The address of the service must be a URL');
    expect(shownBy(failureOf(() => clientOf(url)))).toContain('baseUrl must be a URL');
  });
});

test.each(serviceUrls.map((urlOf) => [urlOf('PASSWORD'), urlOf] as const))(
  'the client for %s: no error has a piece of the password',
  (_shape, urlOf) => {
    const messageFor = (text: string) => shownBy(failureOf(() => clientOf(urlOf(text))));
    const withOthers = others.map(messageFor).join('\n');
    fc.assert(fc.property(password, (text) => expectNoPiece(text, messageFor(text), withOthers)));
  },
);

function clientOf(baseUrl: string): JobsDeleteClient {
  const origin = 'https://example.com';
  return new JobsDeleteClient({ baseUrl, token: 'a', secretKey: 'a', origin, userAgent: 'a/1' });
}

function failureOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The others would look up a name. */
const localUrls = databaseUrls.filter((urlOf) => !urlOf('').includes('db.example'));

test.each(localUrls.map((urlOf) => [urlOf('PASSWORD'), urlOf] as const))(
  'opening %s: no error has a piece of the password',
  async (_shape, urlOf) => {
    const errorFor = async (text: string): Promise<string> => {
      const open = openMongo(urlOf(text), { overrides: { serverSelectionTimeoutMS: 1 } });
      return shownBy(
        await open.then(
          (connection) => connection.close(),
          (error: unknown) => error,
        ),
      );
    };
    const withOthers = (await Promise.all(others.map(errorFor))).join('\n');
    await fc.assert(
      fc.asyncProperty(password, async (text) => expectNoPiece(text, await errorFor(text), withOthers)),
      { numRuns: 60 },
    );
  },
);

test('the check finds a piece', () => {
  expect(() => expectNoPiece('s3cret', 'refused: s3cre', 'refused: ~~~~')).toThrow('"s3cr"');
});
