import { mongoRead, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';

/** Shorter than the answer timeout of the gateway. */
export const timeoutMs = 5_000;

export function read<Result>(use: () => Promise<Result>): Promise<Result> {
  return mongoRead(use, timeoutMs);
}

export function write<Result>(use: () => Promise<Result>): Promise<Result> {
  return mongoWrite(use, timeoutMs);
}

/** True if a unique index refused the write; with `field`, only the index that starts with this field. */
export function isDuplicate(error: unknown, field?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== 11_000) return false;
  const keys = (error as { keyPattern?: Readonly<Record<string, unknown>> }).keyPattern ?? {};
  return field === undefined || Object.keys(keys)[0] === field;
}

/** Copies the bytes: the driver's Buffer would keep the whole reply in memory. */
export function bytesOf(binary: mongo.Binary): Buffer {
  return Buffer.from(binary.value());
}

/** The driver's types refuse `session: undefined`. */
export function sessionOf(session: mongo.ClientSession | undefined): { session?: mongo.ClientSession } {
  return session === undefined ? {} : { session };
}
