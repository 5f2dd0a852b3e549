import { Mongoose, mongo, type Connection } from 'mongoose';
import { Fault } from '../fault.ts';
import { watchMongoPool, type MongoPool } from './mongo-pool.ts';
import { mongoHosts } from './mongo-url.ts';
import { StartupError } from '../startup-error.ts';

export type Mongo = Connection;

export interface OpenMongoOptions {
  /** Unless the URL has its own. */
  readonly maxPoolSize?: number;
  /** Is told of the connections. */
  readonly pool?: MongoPool | undefined;
  /** Whatever the URL says. */
  readonly firmly?: mongo.MongoClientOptions;
}

/**
 * Connects to a replica set or a sharded cluster. What is written is on a majority's journal when the promise
 * resolves, whatever the URL says; of time limits and pool sizes the URL's win. A server that is away is given up
 * after 3 s, so that a caller can be told to come again.
 * @throws StartupError naming the hosts, without the password
 */
export async function openMongo(
  url: string,
  { pool, firmly, ...options }: OpenMongoOptions = {},
): Promise<Mongo> {
  const hosts = mongoHosts(url);
  if (hosts === undefined) throw new StartupError('Cannot open the database: its URL is not valid');
  const mongoose = new Mongoose({ autoIndex: false, autoCreate: false, bufferCommands: false });
  mongoose.set({ strictQuery: 'throw', sanitizeFilter: true });
  try {
    const connection = mongoose.createConnection(url, {
      ...withoutThoseOf(url, { ...limits, ...options }),
      ...firm,
      ...firmly,
    });
    if (pool !== undefined) watchMongoPool(connection.getClient(), pool);
    // Told through each operation; without a listener an outage would end the process.
    connection.on('error', () => undefined);
    try {
      await connection.asPromise();
      await requireReplicaSet(connection);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`Cannot open the database ${hosts}: ${messageOf(error)}`, {
      cause: error,
      isTransient: isAway(error),
    });
  }
}

export interface MongoProbe {
  /** What keeps the database from being used, or undefined. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

const probeTimeoutMs = 2_000;

/** A connection for health checks alone: load that fills the other pools does not delay it. @throws StartupError */
export async function openMongoProbe(url: string): Promise<MongoProbe> {
  const connection = await openMongo(url, {
    firmly: { maxPoolSize: 1, minPoolSize: 0, socketTimeoutMS: probeTimeoutMs },
  });
  return {
    check: () =>
      mongoRead(() => databaseOf(connection).command({ ping: 1 }), probeTimeoutMs).then(
        () => undefined,
        (error: unknown) => mongoReadFault(error).message,
      ),
    close: () => connection.close(),
  };
}

/** An acknowledged write survives the loss of any minority, and reads see it. */
const firm = {
  retryWrites: true,
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  w: 'majority',
  journal: true,
  wtimeoutMS: 10_000,
  readPreference: 'primary',
} as const;

const limits = {
  appName: 'jobs-delete',
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  // A server that falls silent is noticed after this and connectTimeoutMS.
  heartbeatFrequencyMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  maxPoolSize: 20,
};

/** The driver lets options win over the URL; these are only for where the URL is silent. */
function withoutThoseOf(url: string, options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = new Set([...url.matchAll(/[?&]([^=&]+)=/g)].map(([, name = '']) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.has(name.toLowerCase())));
}

/** That nobody answers may pass; a certificate that is not trusted is not trusted a second later either. */
function isAway(error: unknown): boolean {
  if (/certificate|\bTLS\b|\bSSL\b/i.test(messageOf(error))) return false;
  // Mongoose has a class of its own for what the driver calls a MongoServerSelectionError.
  if (error instanceof Error && error.name === 'MongooseServerSelectionError') return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isTransient(error) || ['EAI_AGAIN', 'ENOTFOUND', 'ETIMEOUT', 'ECONNREFUSED'].includes(code);
}

/** Majority writes, retryable writes and import transactions need one, if of a single member. */
async function requireReplicaSet(connection: Connection): Promise<void> {
  const hello = await databaseOf(connection).admin().command({ hello: 1 });
  if (hello.setName !== undefined || hello.msg === 'isdbgrid') return;
  throw new StartupError(
    `Cannot open the database ${connection.host}: it is a stand-alone MongoDB server; make it a replica set, of one member at least`,
  );
}

/** The driver's own database object: there once the connection is open. */
export function databaseOf(connection: Connection): mongo.Db {
  const database = connection.db;
  if (database === undefined) throw new Fault('unavailable', 'MongoDB: not connected');
  return database;
}

/**
 * Runs reads, for so long at most.
 * @throws Fault: nothing has happened, so everything that may pass is `unavailable`
 */
export function mongoRead<Result>(read: () => Promise<Result>, timeoutMs = 30_000): Promise<Result> {
  return within(timeoutMs, read).catch((error: unknown) => {
    throw mongoReadFault(error);
  });
}

/**
 * Runs what writes, for so long at most; the server may still do it afterwards.
 * @throws Fault: everything that may pass is `unknown-outcome`
 */
export function mongoWrite<Result>(write: () => Promise<Result>, timeoutMs = 30_000): Promise<Result> {
  return within(timeoutMs, write).catch((error: unknown) => {
    throw mongoWriteFault(error);
  });
}

export function mongoReadFault(error: unknown): Fault {
  return mongoFault(error, 'unavailable');
}

/**
 * Even when no server was found: the driver repeats a write by itself, and it may be for the repetition that there is
 * no server any more.
 */
export function mongoWriteFault(error: unknown): Fault {
  return mongoFault(error, 'unknown-outcome');
}

function mongoFault(error: unknown, passing: 'unavailable' | 'unknown-outcome'): Fault {
  if (error instanceof Fault) return error;
  return new Fault(isTransient(error) ? passing : 'internal', `MongoDB: ${messageOf(error)}`, error);
}

class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** The driver's own `timeoutMS` has no effect any more. */
async function within<Result>(timeoutMs: number, operation: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new TimeLimitError(`no answer within ${String(timeoutMs)} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([operation(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Server errors of elections, shutdowns, timeouts and lost cursors
 * (https://github.com/mongodb/mongo/blob/v6.0/src/mongo/base/error_codes.yml).
 */
const transientCodes = new Set([
  6, 7, 43, 50, 64, 89, 91, 112, 133, 134, 187, 189, 202, 211, 237, 262, 279, 365, 9001, 10107, 11600, 11601,
  11602, 13435, 13436,
]);

/** Those that the driver doesn't export. */
const transientNames = new Set([
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
]);

function isTransient(thrown: unknown): boolean {
  const error = underlying(thrown);
  if (error instanceof mongo.MongoServerError) {
    return (
      (typeof error.code === 'number' && transientCodes.has(error.code)) ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('TransientTransactionError') ||
      error.hasErrorLabel('UnknownTransactionCommitResult') ||
      error instanceof mongo.MongoWriteConcernError ||
      (error instanceof mongo.MongoBulkWriteError && isTransientBulk(error))
    );
  }
  return (
    error instanceof TimeLimitError ||
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongo.MongoNotConnectedError ||
    error instanceof mongo.MongoTopologyClosedError ||
    (error instanceof Error && transientNames.has(error.name))
  );
}

/** An error without a write error and without a code comes from the network. */
function isTransientBulk(error: mongo.MongoBulkWriteError): boolean {
  if (error.result.getWriteConcernError() !== undefined) return true;
  const writeErrors = [error.writeErrors].flat();
  if (writeErrors.length === 0) return error.code === undefined;
  return writeErrors.some(({ code }) => transientCodes.has(code));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The driver dresses up whatever ends a bulk write as a MongoBulkWriteError. */
function underlying(error: unknown): unknown {
  const isDressedUp = error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error;
  return isDressedUp ? error.errorResponse : error;
}
