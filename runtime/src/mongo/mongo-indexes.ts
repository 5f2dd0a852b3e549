import type { IndexDefinition, IndexOptions, Model } from 'mongoose';
import { mongoReadFault } from './open-mongo.ts';
import { StartupError } from '../startup-error.ts';

export interface IndexReport {
  readonly collection: string;
  readonly index: string;
  readonly state: 'present' | 'missing';
}

export interface IndexedModel extends Pick<
  Model<unknown>,
  'collection' | 'createCollection' | 'createIndexes'
> {
  readonly schema: { indexes(): [IndexDefinition, IndexOptions][] };
}

/**
 * Returns every index that the models declare, and whether the server has an equivalent one: same keys in the same
 * order, uniqueness, partial filter and expiry. Names may differ.
 */
export async function reportIndexes(models: readonly IndexedModel[]): Promise<IndexReport[]> {
  const reports = await Promise.all(models.map(reportModel));
  return reports.flat();
}

/** @throws StartupError naming the missing indexes and the command that creates them */
export async function requireIndexes(models: readonly IndexedModel[]): Promise<void> {
  const missing = (await reportIndexes(models)).filter(({ state }) => state === 'missing');
  if (missing.length === 0) return;
  const names = missing.map(({ collection, index }) => `${collection}.${index}`).join(', ');
  throw new StartupError(`The database lacks indexes: ${names}. Run: jobs-delete indexes create`);
}

/**
 * Creates the missing collections and indexes. Changes no existing one.
 * @throws StartupError naming the collection whose existing data or indexes conflict
 */
export async function createIndexes(models: readonly IndexedModel[]): Promise<void> {
  for (const model of models) {
    try {
      await model.createCollection();
      await model.createIndexes();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { collectionName } = model.collection;
      throw new StartupError(`Cannot create the indexes of ${collectionName}: ${reason}`, { cause: error });
    }
  }
}

async function reportModel({ collection, schema }: IndexedModel): Promise<IndexReport[]> {
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

function noneIfNoCollection(error: unknown): ServerIndex[] {
  if (error instanceof Error && 'codeName' in error && error.codeName === 'NamespaceNotFound') return [];
  throw mongoReadFault(error);
}
