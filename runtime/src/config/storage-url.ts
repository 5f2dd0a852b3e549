import { join } from 'node:path';
import { z } from 'zod';
import { isLoopbackAddress } from './addresses.ts';
import { described, secret } from './variables.ts';

export type DatabaseUrl =
  { readonly kind: 'sqlite'; readonly path: string } | { readonly kind: 'mongodb'; readonly url: string };

export type EventLogUrl = { readonly kind: 'embedded'; readonly path: string } | KafkaUrl;

export interface KafkaUrl {
  readonly kind: 'kafka';
  /** `host:port` of each broker. */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl: KafkaSasl | undefined;
  /** The prefix of all topics and groups; lets installations share a cluster. */
  readonly prefix?: string;
}

export interface KafkaSasl {
  readonly mechanism: SaslMechanism;
  readonly username: string;
  readonly password: string;
}

/**
 * Refuses `sqlite::memory:`, a second scheme, which libsql takes for a server, and `sqlite://HOST`, which may contain
 * a password.
 */
const sqliteForm = /^sqlite:(?!:|\/\/[^/]|[A-Za-z][A-Za-z0-9+.-]+:).+$/;

/** Messages never repeat the URL: any part of it may belong to the password. */
const encoded = 'with %40 for @, %2F for / and %3A for : in USER and PASSWORD';

const inTheClear =
  'must have tls=true, because its password would go to another machine in the clear; insecure=true allows that';

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];

export const databaseForm = z
  .string()
  .refine((text) => sqliteForm.test(text) || mongoHosts(text) !== undefined, {
    error: `must be sqlite:PATH or mongodb://[USER:PASSWORD@]HOST:PORT,HOST:PORT/DATABASE, ${encoded}`,
  })
  .refine((text) => !exposesMongoPassword(text), { error: inTheClear });

/** The variables of the storage; `readStorage` combines them. */
export const storageVariables = {
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('folder for the embedded databases, the pepper and `demo.json`'),
  DATABASE_URL: secret(
    described(databaseForm.optional(), {
      fallback: '`sqlite:` in `DATA_DIR`',
      text: '`sqlite:PATH` or `mongodb://…`',
    }),
  ),
  EVENT_LOG_URL: secret(
    z
      .string()
      .default('embedded:')
      .transform((text, context) => {
        const url = text === 'embedded:' ? text : parseKafkaUrl(text);
        const isExposed = typeof url === 'object' && exposesKafkaPassword(url, text);
        if (url !== undefined && !isExposed) return url;
        const message = isExposed ? inTheClear : `must be ${kafkaForm}, ${encoded}`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      })
      .describe('`embedded:` or `kafka://…`'),
  ),
};

export interface Storage {
  readonly dataDir: string;
  readonly database: DatabaseUrl;
  readonly eventLog: EventLogUrl;
}

export function readStorage(values: z.output<z.ZodObject<typeof storageVariables>>): Storage {
  const { DATA_DIR: dataDir, DATABASE_URL: url, EVENT_LOG_URL: eventLog } = values;
  return {
    dataDir,
    database: databaseUrl(url ?? `sqlite:${join(dataDir, 'jobs-delete.db')}`),
    eventLog: eventLog === 'embedded:' ? { kind: 'embedded', path: join(dataDir, 'events.db') } : eventLog,
  };
}

/** @param url a text of `databaseForm` */
export function databaseUrl(url: string): DatabaseUrl {
  return url.startsWith('sqlite:')
    ? { kind: 'sqlite', path: url.slice('sqlite:'.length) }
    : { kind: 'mongodb', url: withoutInsecure(url) };
}

const kafkaForm =
  'embedded: or kafka://[USER:PASSWORD@]HOST:PORT,HOST:PORT[?tls=true&mechanism=plain|scram-sha-256|scram-sha-512&prefix=NAME&insecure=true]';

/** Returns undefined for an invalid URL. Splits the hosts itself: a WHATWG URL has only one. */
export function parseKafkaUrl(text: string): KafkaUrl | undefined {
  const [, userInfo, hosts = '', query = ''] =
    /^kafka:\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/.exec(text) ?? [];
  const brokers = hosts.split(',');
  if (!brokers.every((broker) => /^(?:\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/.test(broker)))
    return undefined;
  const parameters = new URLSearchParams(query);
  const tls = parameters.get('tls') ?? 'false';
  const prefix = parameters.get('prefix') ?? '';
  if ([...parameters.keys()].some((name) => !['tls', 'mechanism', 'prefix', 'insecure'].includes(name)))
    return undefined;
  if (
    !isBoolean(tls) ||
    !isBoolean(parameters.get('insecure') ?? 'false') ||
    !/^[A-Za-z0-9._-]{0,100}$/.test(prefix)
  )
    return undefined;
  const sasl = parseSasl(userInfo, parameters.get('mechanism'));
  return sasl === 'invalid' ? undefined : { kind: 'kafka', brokers, tls: tls === 'true', sasl, prefix };
}

/** Returns whether kafkajs would send a password without TLS to another machine. */
function exposesKafkaPassword({ brokers, tls, sasl }: KafkaUrl, text: string): boolean {
  return (
    sasl !== undefined && !tls && !brokers.every(isLoopbackAddress) && !/[?&]insecure=true(?:&|$)/.test(text)
  );
}

function isBoolean(text: string): boolean {
  return text === 'true' || text === 'false';
}

function parseSasl(userInfo: string | undefined, name: string | null): KafkaSasl | undefined | 'invalid' {
  if (userInfo === undefined) return name === null ? undefined : 'invalid';
  const mechanism = saslMechanisms.find((candidate) => candidate === (name ?? 'plain'));
  const [, username, password] = /^([^:]+):(.+)$/.exec(userInfo) ?? [];
  if (mechanism === undefined || username === undefined || password === undefined) return 'invalid';
  try {
    return { mechanism, username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return 'invalid';
  }
}

/** Returns the hosts of a MongoDB URL for messages, without user, password and options: `mongodb://a:1,b:2`. */
export function mongoHosts(url: string): string | undefined {
  const { scheme, user = '', password = '', hosts } = mongoForm.exec(url)?.groups ?? {};
  const isEncoded = [user, password].every(isPercentEncoded);
  return scheme !== undefined && hosts !== undefined && isEncoded ? `${scheme}://${hosts}` : undefined;
}

/** Returns whether the driver would send a password without TLS to another machine. `insecure=true` allows that. */
function exposesMongoPassword(url: string): boolean {
  const { scheme = '', password = '', hosts = '' } = mongoForm.exec(url)?.groups ?? {};
  if (password === '' || hosts.split(',').every(isLoopbackAddress)) return false;
  const options = mongoOptionsOf(url);
  if (options.get('insecure') === 'true') return false;
  const tls = options.get('tls') ?? options.get('ssl') ?? String(scheme.endsWith('+srv'));
  return tls !== 'true';
}

/** Returns the URL for the driver, which does not know `insecure`. */
function withoutInsecure(url: string): string {
  const { address, query } = splitQuery(url);
  if (query === '') return url;
  const options = query.split('&').filter((option) => !/^insecure=/i.test(option));
  return options.length === 0 ? address : `${address}?${options.join('&')}`;
}

/** By lower-case name: the driver ignores the case. An option with two different values is `ambiguous`. */
function mongoOptionsOf(url: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(splitQuery(url).query)) {
    const key = name.toLowerCase();
    options.set(key, options.has(key) && options.get(key) !== value ? 'ambiguous' : value);
  }
  return options;
}

/** The first question mark ends the address. Further ones belong to the value of an option. */
function splitQuery(url: string): { readonly address: string; readonly query: string } {
  const [address = '', ...query] = url.split('?');
  return { address, query: query.join('?') };
}

const mongoHost = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]+)(?::\d{1,5})?`;

/**
 * Stricter than the driver, which takes part of a password with a raw `@` for a host and names it in errors. Allows
 * a raw `@` only before the hosts.
 */
const mongoForm = new RegExp(
  String.raw`^(?<scheme>mongodb(?:\+srv)?)://` +
    String.raw`(?:(?<user>[^\p{Cc}:/?#[\]@]+)(?::(?<password>[^\p{Cc}:/?#[\]@]*))?@)?` +
    String.raw`(?<hosts>${mongoHost}(?:,${mongoHost})*)` +
    String.raw`(?:/[^\p{Cc}/?#@]*)?(?:\?[^\p{Cc}#@]*)?$`,
  'u',
);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
