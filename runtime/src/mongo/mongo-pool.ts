import type { mongo } from 'mongoose';

/** The current connections of one client. */
export interface MongoPool {
  open: number;
  inUse: number;
  /** The number of timeouts while waiting for a connection. */
  failures: number;
}

export function createMongoPool(): MongoPool {
  return { open: 0, inUse: 0, failures: 0 };
}

/** Updates `pool` from the client's events. */
export function watchMongoPool(client: mongo.MongoClient, pool: MongoPool): void {
  client.on('connectionCreated', () => void (pool.open += 1));
  client.on('connectionClosed', () => void (pool.open -= 1));
  client.on('connectionCheckedOut', () => void (pool.inUse += 1));
  client.on('connectionCheckedIn', () => void (pool.inUse -= 1));
  client.on('connectionCheckOutFailed', () => void (pool.failures += 1));
}
