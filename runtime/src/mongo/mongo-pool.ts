import type { mongo } from 'mongoose';

/** The connections of one client, as they are now. */
export interface MongoPool {
  open: number;
  inUse: number;
  /** How often, so far, no connection was to be had in time. */
  failures: number;
}

export function createMongoPool(): MongoPool {
  return { open: 0, inUse: 0, failures: 0 };
}

/** From now on `pool` says what the client does. */
export function watchMongoPool(client: mongo.MongoClient, pool: MongoPool): void {
  client.on('connectionCreated', () => void (pool.open += 1));
  client.on('connectionClosed', () => void (pool.open -= 1));
  client.on('connectionCheckedOut', () => void (pool.inUse += 1));
  client.on('connectionCheckedIn', () => void (pool.inUse -= 1));
  client.on('connectionCheckOutFailed', () => void (pool.failures += 1));
}
