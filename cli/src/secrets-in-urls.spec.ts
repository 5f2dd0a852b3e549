import { describe, expect, test } from '@jest/globals';
import { readDeleterConfig } from '@jobs-delete/deleter-service/config';
import { readGatewayConfig } from '@jobs-delete/gateway/config';
import { openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import fc from 'fast-check';
import { readCliConfig } from './config.ts';

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

const readers = { gateway: readGatewayConfig, deleter: readDeleterConfig, command: readCliConfig };
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
const urls: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  DATABASE_URL: databaseUrls,
  EVENT_LOG_URL: [
    (text) => `kafka://user:${text}@kafka.example:9092`,
    (text) => `kafka://user:${text}@kafka.example:9092?tls=true&mechanism=plain`,
    (text) => `kafka://${text}:password@kafka.example:9092?tls=true`,
    (text) => `kafka://kafka.example:9092?password=${text}`,
    (text) => `kafka://kafka.example:9092?mechanism=${text}`,
    (text) => `kafka:user:${text}@kafka.example:9092`,
    (text) => text,
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    (text) => `https://user:${text}@collector.example`,
    (text) => `ftp://user:${text}@collector.example`,
    (text) => text,
  ],
  DELETER_ADDRESS: [(text) => `user:${text}@api.example:50051`, (text) => `dns:///user:${text}@api:50051`],
  GRPC_SERVICE_TOKENS: [(text) => `gateway:${text}`, (text) => `${text},${text}`],
  CREDENTIAL_PEPPER: [(text) => text],
  CREDENTIAL_PEPPER_PREVIOUS: [(text) => text],
};
const cases = Object.entries(urls).flatMap(([name, shapes]) =>
  shapes.map((urlOf) => [name, urlOf('PASSWORD'), urlOf] as const),
);

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
    const messageFor = (text: string): string => {
      try {
        read({ [name]: urlOf(text) });
        return '';
      } catch (error) {
        return shownBy(error);
      }
    };
    const withOthers = others.map(messageFor).join('\n');
    fc.assert(
      fc.property(password, (text) => expectNoPiece(text, messageFor(text), withOthers)),
      { numRuns: 200 },
    );
  });
});

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
