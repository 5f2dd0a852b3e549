import { describe, expect, test } from '@jest/globals';
import { readEnvironment } from './read-environment.ts';
import { parseKafkaUrl, readStorage, storageVariables } from './storage-url.ts';

const read = (env: NodeJS.ProcessEnv) => readStorage(readEnvironment(storageVariables, env));

const messageOf = (use: () => unknown): string => {
  try {
    return String(use());
  } catch (error) {
    return String(error);
  }
};

describe('readStorage', () => {
  test('defaults to two files in the data folder', () => {
    expect(read({})).toEqual({
      dataDir: './data',
      database: { kind: 'sqlite', path: 'data/jobs-delete.db' },
      eventLog: { kind: 'embedded', path: 'data/events.db' },
    });
    expect(read({ DATA_DIR: '/srv/jobs' })).toMatchObject({
      database: { path: '/srv/jobs/jobs-delete.db' },
      eventLog: { path: '/srv/jobs/events.db' },
    });
  });

  test.each([
    ['sqlite:/srv/x.db', { kind: 'sqlite', path: '/srv/x.db' }],
    ['sqlite:///srv/x.db', { kind: 'sqlite', path: '///srv/x.db' }],
    ['sqlite:x.db', { kind: 'sqlite', path: 'x.db' }],
    ['mongodb://a,b/jobs', { kind: 'mongodb', url: 'mongodb://a,b/jobs' }],
    ['mongodb+srv://u:p@host/jobs', { kind: 'mongodb', url: 'mongodb+srv://u:p@host/jobs' }],
  ])('accepts DATABASE_URL=%s', (url, database) => {
    expect(read({ DATABASE_URL: url }).database).toEqual(database);
  });

  test.each([
    'sqlite:',
    'sqlite::memory:',
    'sqlite:file:x.db',
    'sqlite:http://elsewhere/x',
    'sqlite:libsql://elsewhere',
    'sqlite://elsewhere/x.db',
    'sqlite://user:password@elsewhere/x.db',
    'mongodb://',
    'mongodb:x',
    'postgres://db',
    'x.db',
  ])('refuses DATABASE_URL=%s', (url) => {
    expect(() => read({ DATABASE_URL: url })).toThrow(/^ {2}DATABASE_URL: must be sqlite:PATH or mongodb:/m);
  });

  test.each([
    'mongodb://user:pa/ss@host/jobs',
    'mongodb://user:pa@ss@host/jobs',
    'mongodb://user:1234/ss@host/jobs',
    'mongodb://user:1234?ss=1@host/jobs',
    'mongodb://user:pa:ss@host/jobs',
    'mongodb://user:pa#ss@host/jobs',
    'mongodb://user:%zz@host/jobs',
    'mongodb://user:password/host',
    'mongodb://host/jobs/more',
    'mongodb://host:port/jobs',
    'mongodb://host,/jobs',
    'mongodb://@host/jobs',
  ])('refuses DATABASE_URL=%s before the driver reads it', (url) => {
    expect(() => read({ DATABASE_URL: url })).toThrow(/%40 for @, %2F for \//);
  });

  test.each([
    'mongodb://u%40ser:p%2Fss,word@a.example:27017,[::1]:27018,10.0.0.1/jobs?authSource=admin&tls=true&tlsCAFile=/etc/ca.pem',
    'mongodb://host',
    'mongodb://host/?replicaSet=rs0',
    'mongodb://host?replicaSet=rs0',
    'mongodb://user@host/jobs',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/jobs',
    'mongodb+srv://user:pass@cluster0.example/jobs?retryWrites=true&w=majority',
    'mongodb://host/jobs?tlsCertificateKeyFilePassword=a?b&tls=true',
    'mongodb://user:pass@host/jobs?appName=who?&tls=true',
  ])('accepts DATABASE_URL=%s', (url) => {
    expect(read({ DATABASE_URL: url }).database).toEqual({ kind: 'mongodb', url });
  });

  test.each([
    'postgres://u:s3cret@db',
    'postgres://u:s3@cret@db',
    'sqlite://u:s3cret@db/x',
    'u:s3cret',
    'kafka:u:s3cret@db:1',
  ])('the message about %s does not repeat the value', (url) => {
    for (const name of ['DATABASE_URL', 'EVENT_LOG_URL']) {
      const message = messageOf(() => read({ [name]: url }));
      expect(message).toContain(`${name}: must be `);
      expect(message).not.toMatch(/cret|postgres|u:s3/);
    }
  });
});

describe('parseKafkaUrl', () => {
  const plain = { kind: 'kafka', tls: false, sasl: undefined, prefix: '' };

  test.each([
    ['kafka://broker:9092', { ...plain, brokers: ['broker:9092'] }],
    ['kafka://a:1,b.example:2,10.0.0.1:3/', { ...plain, brokers: ['a:1', 'b.example:2', '10.0.0.1:3'] }],
    ['kafka://a:1?prefix=blue.', { ...plain, brokers: ['a:1'], prefix: 'blue.' }],
    ['kafka://[::1]:9092?tls=true', { ...plain, brokers: ['[::1]:9092'], tls: true }],
    [
      'kafka://us%3Aer:p%40ss:word@a:1?mechanism=scram-sha-512&tls=true',
      {
        ...plain,
        brokers: ['a:1'],
        tls: true,
        sasl: { mechanism: 'scram-sha-512', username: 'us:er', password: 'p@ss:word' },
      },
    ],
  ])('accepts %s', (url, parsed) => {
    expect(parseKafkaUrl(url)).toEqual(parsed);
    expect(read({ EVENT_LOG_URL: url }).eventLog).toEqual(parsed);
  });

  test.each([
    'kafka://',
    'kafka://broker',
    'kafka://broker:9092,',
    'kafka://broker:9092,other',
    'kafka://broker:port',
    'kafka://broker:9092?tls=maybe',
    'kafka://broker:9092?unknown=1',
    'kafka://broker:9092?insecure=maybe',
    'kafka://broker:9092?prefix=a/b',
    'kafka://broker:9092?mechanism=plain',
    'kafka://user@broker:9092',
    'kafka://:password@broker:9092',
    'kafka://user:password@broker:9092?mechanism=md5',
    'kafka://user:%zz@broker:9092',
    'embedded',
    'http://broker:9092',
  ])('refuses %s', (url) => {
    expect(parseKafkaUrl(url)).toBeUndefined();
    expect(() => read({ EVENT_LOG_URL: url })).toThrow(/^ {2}EVENT_LOG_URL: must be embedded: or kafka:/m);
  });
});

describe('a password without TLS', () => {
  test.each([
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs'],
    ['DATABASE_URL', 'mongodb://user:password@127.0.0.1,db.example/jobs?replicaSet=rs0'],
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs?tls=false'],
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs?tls=true&TLS=false'],
    ['DATABASE_URL', 'mongodb+srv://user:password@db.example/jobs?ssl=false'],
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs?insecure=false'],
    ['EVENT_LOG_URL', 'kafka://user:password@kafka.example:9092'],
    ['EVENT_LOG_URL', 'kafka://user:password@localhost:1,kafka.example:9092?mechanism=scram-sha-512'],
    ['EVENT_LOG_URL', 'kafka://user:password@10.0.0.1:9092?tls=false'],
  ])('%s refuses %s', (name, url) => {
    const message = messageOf(() => read({ [name]: url }));
    expect(message).toContain(
      `${name}: must have tls=true, because its password would go to another machine`,
    );
  });

  test.each([
    ['DATABASE_URL', 'mongodb://user:password@127.0.0.1:27017,localhost,[::1]:1/jobs'],
    ['DATABASE_URL', 'mongodb://user:password@%2Ftmp%2Fmongodb-27017.sock/jobs'],
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs?tls=true'],
    ['DATABASE_URL', 'mongodb://user:password@db.example/jobs?SSL=true'],
    ['DATABASE_URL', 'mongodb://user@db.example/jobs'],
    ['EVENT_LOG_URL', 'kafka://user:password@localhost:9092,127.0.0.1:9093'],
    ['EVENT_LOG_URL', 'kafka://user:password@kafka.example:9092?tls=true'],
    ['EVENT_LOG_URL', 'kafka://kafka.example:9092'],
  ])('%s accepts %s', (name, url) => {
    expect(() => read({ [name]: url })).not.toThrow();
  });

  test('insecure=true allows it, and the driver does not get that option', () => {
    const base = 'mongodb://user:password@db.example/jobs';
    for (const [given, passedOn] of [
      [`${base}?insecure=true`, base],
      [`${base}?insecure=true&replicaSet=rs0`, `${base}?replicaSet=rs0`],
    ] as const)
      expect(read({ DATABASE_URL: given }).database).toEqual({ kind: 'mongodb', url: passedOn });
    expect(read({ EVENT_LOG_URL: 'kafka://user:password@a:1?insecure=true' }).eventLog).toEqual({
      kind: 'kafka',
      brokers: ['a:1'],
      tls: false,
      prefix: '',
      sasl: { mechanism: 'plain', username: 'user', password: 'password' },
    });
  });
});
