import type { IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { databaseOf, mongoReadFault, type Mongo } from './open-mongo.ts';
import { messageOf } from '../fault.ts';
import { StartupError } from '../startup-error.ts';

export interface IndexReport {
  readonly collection: string;
  readonly index: string;
  readonly state: 'present' | 'missing';
}

/** The keys and the options of each index. */
type Indexes = readonly (readonly [IndexDefinition, IndexOptions])[];

/** A collection and its declared indexes: a mongoose model, or what `declareIndexes` returns. */
export interface IndexedCollection {
  readonly collection: Pick<mongo.Collection, 'collectionName' | 'deleteMany'> & {
    indexes(): Promise<ServerIndex[]>;
  };
  readonly schema: { indexes(): Indexes };
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
}

/** Declares the indexes of a collection without a model. */
export function declareIndexes(connection: Mongo, name: string, indexes: Indexes): IndexedCollection {
  const database = databaseOf(connection);
  const collection = database.collection(name);
  return {
    collection,
    schema: { indexes: () => indexes },
    createCollection: () => database.createCollection(name).catch(ignoreExisting),
    createIndexes: async () => {
      const descriptions = indexes.map(([key, options]) => ({ key, ...options }));
      // Casts: the same index in the types of the driver.
      if (indexes.length > 0) await collection.createIndexes(descriptions as mongo.IndexDescription[]);
    },
  };
}

/**
 * Returns every index that the collections declare, and whether the server has an equivalent one: same keys in the same
 * order, uniqueness, partial filter and expiry. Names may differ.
 */
export async function reportIndexes(collections: readonly IndexedCollection[]): Promise<IndexReport[]> {
  const reports = await Promise.all(collections.map(reportCollection));
  return reports.flat();
}

/** @throws StartupError naming the missing indexes and the command that creates them */
export async function requireIndexes(collections: readonly IndexedCollection[]): Promise<void> {
  const missing = (await reportIndexes(collections)).filter(({ state }) => state === 'missing');
  if (missing.length === 0) return;
  const names = missing.map(({ collection, index }) => `${collection}.${index}`).join(', ');
  throw new StartupError(`The database lacks indexes: ${names}. Run: jobs-delete indexes create`);
}

/**
 * Creates the missing collections and indexes. Changes no existing one.
 * @throws StartupError naming the collection whose existing data or indexes conflict
 */
export async function createIndexes(collections: readonly IndexedCollection[]): Promise<void> {
  for (const each of collections) {
    try {
      await each.createCollection();
      await each.createIndexes();
    } catch (error) {
      const { collectionName } = each.collection;
      const message = `Cannot create the indexes of ${collectionName}: ${messageOf(error)}`;
      throw new StartupError(message, { cause: error });
    }
  }
}

async function reportCollection({ collection, schema }: IndexedCollection): Promise<IndexReport[]> {
  const existing = await collection.indexes().catch(noneIfNoCollection);
  return schema.indexes().map(([keys, options]) => ({
    collection: collection.collectionName,
    index: options.name ?? JSON.stringify(keys),
    state: existing.some((index) => isEquivalent(index, keys, options)) ? 'present' : 'missing',
  }));
}

interface ServerIndex {
  readonly key: unknown;
  readonly unique?: boolean;
  readonly partialFilterExpression?: unknown;
  readonly expireAfterSeconds?: number;
  /** Absent for binary comparison, which all queries need. */
  readonly collation?: unknown;
}

function isEquivalent(index: ServerIndex, keys: IndexDefinition, options: IndexOptions): boolean {
  return (
    isSame(index.key, keys) &&
    (index.unique ?? false) === (options.unique ?? false) &&
    isSame(index.partialFilterExpression, options.partialFilterExpression) &&
    index.expireAfterSeconds === options.expireAfterSeconds &&
    index.collation === undefined
  );
}

function isSame(present: unknown, wanted: unknown): boolean {
  return JSON.stringify(present) === JSON.stringify(wanted);
}

function ignoreExisting(error: unknown): void {
  if (!hasCodeName(error, 'NamespaceExists')) throw mongoReadFault(error);
}

function noneIfNoCollection(error: unknown): ServerIndex[] {
  if (hasCodeName(error, 'NamespaceNotFound')) return [];
  throw mongoReadFault(error);
}

function hasCodeName(error: unknown, codeName: string): boolean {
  return error instanceof Error && 'codeName' in error && error.codeName === codeName;
}
