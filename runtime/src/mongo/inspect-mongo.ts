import { databaseOf, mongoRead, type Mongo } from './open-mongo.ts';

/** The state of the servers, for `jobs-delete doctor`. */
export interface MongoState {
  readonly version: string;
  /** The members of the replica set; undefined behind mongos or without permission. */
  readonly members: readonly MongoMember[] | undefined;
  /** How far the primary's clock is ahead; negative if behind, 0 if the difference is within the round trip. */
  readonly clockAheadMs: number;
}

export interface MongoMember {
  readonly host: string;
  /** True for a healthy primary or secondary. */
  readonly isUp: boolean;
}

/** @throws Fault */
export function inspectMongo(connection: Mongo, now: () => number): Promise<MongoState> {
  return mongoRead(async () => {
    const admin = databaseOf(connection).admin();
    const sentAtMs = now();
    const hello = await admin.command({ hello: 1 });
    const receivedAtMs = now();
    const { version } = (await admin.buildInfo()) as { version: string };
    const serverMs = (hello.localTime as Date).getTime();
    const late = Math.max(0, serverMs - receivedAtMs);
    const early = Math.max(0, sentAtMs - serverMs);
    const members = await admin.replSetGetStatus().then(membersOf, () => undefined);
    return { version, members, clockAheadMs: late - early };
  });
}

const [primary, secondary] = [1, 2];

function membersOf(status: unknown): MongoMember[] {
  const { members } = status as { members: { name: string; state: number; health: number }[] };
  return members.map(({ name, state, health }) => ({
    host: name,
    isUp: health === 1 && (state === primary || state === secondary),
  }));
}
