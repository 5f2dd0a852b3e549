import { types } from 'node:util';
import { Mongoose, mongo, type Connection } from 'mongoose';
import { Fault, messageOf } from '../fault.ts';
import { mongoHosts } from '../config/storage-url.ts';
import { StartupError } from '../startup-error.ts';
import { withTimeLimit } from '../time/clock.ts';

export type Mongo = Connection;

/** The current connections of one client. */
export interface MongoPool {
  open: number;
  inUse: number;
  /** The number of timeouts while waiting for a connection. */
  failures: number;
}

export interface OpenMongoOptions {
  /** Used unless the URL sets it. */
  readonly maxPoolSize?: number;
  /** Used unless the URL sets it. Closes a connection whose server has not answered for this time. */
  readonly socketTimeoutMS?: number;
  /** Updated with the connection counts. */
  readonly pool?: MongoPool | undefined;
  /** Options that override the URL. */
  readonly overrides?: mongo.MongoClientOptions;
}

/**
 * Connects to a replica set or a sharded cluster. Writes always wait for the journal of a majority; the URL may set
 * timeouts and pool sizes. Gives up on an unreachable server after 3 s, in time for the caller to answer 503.
 * @throws StartupError naming the hosts, without the password
 */
export async function openMongo(
  url: string,
  { pool, overrides, ...options }: OpenMongoOptions = {},
): Promise<Mongo> {
  const hosts = mongoHosts(url);
  if (hosts === undefined) throw new StartupError('Cannot open the database: its URL is not valid');
  const mongoose = new Mongoose({ autoIndex: false, autoCreate: false, bufferCommands: false });
  mongoose.set({ strictQuery: 'throw', sanitizeFilter: true, runValidators: true });
  try {
    const connection = mongoose.createConnection(url, {
      ...withoutThoseOf(url, { ...limits, ...options }),
      ...durability,
      ...overrides,
    });
    if (pool !== undefined) countConnections(connection.getClient(), pool);
    // Without a listener an outage would end the process. Each operation reports its own error.
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
    if (isAboutUrl(error)) throw new StartupError(`Cannot open the database ${hosts}: ${wrongOption}`);
    throw new StartupError(`Cannot open the database ${hosts}: ${messageOf(error)}`, {
      cause: error,
      isTransient: isAway(error),
    });
  }
}

function countConnections(client: mongo.MongoClient, pool: MongoPool): void {
  client.on('connectionCreated', () => void (pool.open += 1));
  client.on('connectionClosed', () => void (pool.open -= 1));
  client.on('connectionCheckedOut', () => void (pool.inUse += 1));
  client.on('connectionCheckedIn', () => void (pool.inUse -= 1));
  client.on('connectionCheckOutFailed', () => void (pool.failures += 1));
}

/** The driver's own message, and its cause, may repeat a part of a password. */
const wrongOption =
  'DATABASE_URL has an option that MongoDB does not know, or with a wrong value; in values, write & as %26';

function isAboutUrl(error: unknown): boolean {
  const classes = [mongo.MongoParseError, mongo.MongoAPIError, TypeError, URIError, RangeError];
  return classes.some((each) => error instanceof each);
}

export interface MongoProbe {
  /** Returns why the database cannot be used; undefined if it can. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

const probeTimeoutMs = 2_000;

/** Opens a connection for health checks, which load on other pools cannot delay. @throws StartupError */
export async function openMongoProbe(url: string): Promise<MongoProbe> {
  const connection = await openMongo(url, {
    overrides: { maxPoolSize: 1, minPoolSize: 0, socketTimeoutMS: probeTimeoutMs },
  });
  return {
    check: () => checkMongo(connection),
    close: () => connection.close(),
  };
}

/** Returns why the database cannot be used; undefined if it can. */
export function checkMongo(connection: Mongo): Promise<string | undefined> {
  return mongoRead(() => databaseOf(connection).command({ ping: 1 }), probeTimeoutMs).then(
    () => undefined,
    (error: unknown) => mongoReadFault(error).message,
  );
}

/** An acknowledged write survives the loss of any minority, and reads see it. */
const durability = {
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
  // A silent server is detected after this plus connectTimeoutMS.
  heartbeatFrequencyMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  maxPoolSize: 20,
};

/** Removes the options that the URL sets: the driver would prefer the options. */
function withoutThoseOf(url: string, options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = new Set([...url.matchAll(/[?&]([^=&]+)=/g)].map(([, name = '']) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.has(name.toLowerCase())));
}

/** Treats an unreachable server as transient, but not an untrusted certificate. */
function isAway(error: unknown): boolean {
  if (/certificate|\bTLS\b|\bSSL\b/i.test(messageOf(error))) return false;
  // Mongoose's own class for the driver's MongoServerSelectionError.
  if (error instanceof Error && error.name === 'MongooseServerSelectionError') return true;
  return isTransient(error) || hasCode(error, lookUpCodes);
}

const lookUpCodes = new Set(['EAI_AGAIN', 'ENOTFOUND', 'ETIMEOUT', 'ECONNREFUSED']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return types.isNativeError(error) && 'code' in error && codes.has(String(error.code));
}

/** Majority writes, retryable writes and transactions need a replica set; one member is enough. */
async function requireReplicaSet(connection: Connection): Promise<void> {
  const hello = await databaseOf(connection).admin().command({ hello: 1 });
  if (hello.setName !== undefined || hello.msg === 'isdbgrid') return;
  throw new StartupError(
    `Cannot open the database ${connection.host}: it is a stand-alone MongoDB server; make it a replica set, which may have one member`,
  );
}

/** Returns the driver's database object. @throws Fault while the connection is not open */
export function databaseOf(connection: Connection): mongo.Db {
  const database = connection.db;
  if (database === undefined) throw new Fault('unavailable', 'MongoDB: not connected');
  return database;
}

/**
 * Runs a read with a timeout.
 * @throws Fault; `unavailable` for a transient error
 */
export function mongoRead<Result>(read: () => Promise<Result>, timeoutMs?: number): Promise<Result> {
  return run(read, mongoReadFault, timeoutMs);
}

/**
 * Runs a write with a timeout, after which the server may still complete it.
 * @throws Fault; `unknown-outcome` for a transient error
 */
export function mongoWrite<Result>(write: () => Promise<Result>, timeoutMs?: number): Promise<Result> {
  return run(write, mongoWriteFault, timeoutMs);
}

/** The driver has a `timeoutMS` too, which has no effect through mongoose. */
async function run<Result>(
  operation: () => Promise<Result>,
  faultOf: (error: unknown) => Fault,
  timeoutMs = 30_000,
): Promise<Result> {
  const failLate = () => {
    throw new TimeLimitError(`no answer within ${String(timeoutMs)} ms`);
  };
  try {
    return await withTimeLimit(operation(), timeoutMs, failLate);
  } catch (error) {
    throw faultOf(error);
  }
}

export function mongoReadFault(error: unknown): Fault {
  return mongoFault(error, 'unavailable');
}

/** Also for a failed server selection: the driver may have sent the write before and failed on its retry. */
export function mongoWriteFault(error: unknown): Fault {
  return mongoFault(error, 'unknown-outcome');
}

function mongoFault(error: unknown, transientCode: 'unavailable' | 'unknown-outcome'): Fault {
  if (error instanceof Fault) return error;
  return new Fault(isTransient(error) ? transientCode : 'internal', `MongoDB: ${messageOf(error)}`, error);
}

export const duplicateKey = 11_000;

/** True if a unique index refused the write; with `field`, only an index that starts with this field. */
export function isDuplicateKey(error: unknown, field?: string): error is mongo.MongoServerError {
  if (!(error instanceof mongo.MongoServerError) || error.code !== duplicateKey) return false;
  const [first] = Object.keys((error.keyPattern ?? {}) as object);
  return field === undefined || first === field;
}

class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Server errors of elections, shutdowns, timeouts and lost cursors
 * (https://github.com/mongodb/mongo/blob/v6.0/src/mongo/base/error_codes.yml).
 */
const transientCodes = new Set([
  6, 7, 43, 50, 64, 89, 91, 112, 133, 134, 187, 189, 202, 211, 237, 262, 279, 365, 9001, 10107, 11600, 11601,
  11602, 13435, 13436,
]);

/** Error classes that the driver does not export. */
const transientNames = new Set([
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
]);

/** Node's codes of a broken connection: a command that waits to be written rejects with the socket's own error. */
const socketCodes = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
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
    (error instanceof Error && transientNames.has(error.name)) ||
    hasCode(error, socketCodes)
  );
}

/** Without write errors and without a code, the error is a network error. */
function isTransientBulk(error: mongo.MongoBulkWriteError): boolean {
  if (error.result.getWriteConcernError() !== undefined) return true;
  const writeErrors = [error.writeErrors].flat();
  if (writeErrors.length === 0) return error.code === undefined;
  return writeErrors.some(({ code }) => transientCodes.has(code));
}

/** Unwraps the cause of a failed bulk write from the driver's MongoBulkWriteError. */
function underlying(error: unknown): unknown {
  const isWrapped = error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error;
  return isWrapped ? error.errorResponse : error;
}
