import { databaseOf, mongoRead, type Mongo } from './open-mongo.ts';

/** What an operator has to know of the servers behind a connection. */
export interface MongoState {
  readonly version: string;
  /** Of the replica set; undefined behind mongos, and where the user may not ask. */
  readonly members: readonly MongoMember[] | undefined;
  /** How far the primary's clock is ahead, or behind where negative; 0 where that is less than the way there and back. */
  readonly clockAheadMs: number;
}

export interface MongoMember {
  readonly host: string;
  /** Primary or secondary: has the data, and is reached by the others. */
  readonly isUp: boolean;
}

/** @throws Fault */
export function inspectMongo(connection: Mongo, now: () => number): Promise<MongoState> {
  return mongoRead(async () => {
    const admin = databaseOf(connection).admin();
    const askedAtMs = now();
    const hello = await admin.command({ hello: 1 });
    const answeredAtMs = now();
    const { version } = (await admin.buildInfo()) as { version: string };
    const serverMs = (hello.localTime as Date).getTime();
    const late = Math.max(0, serverMs - answeredAtMs);
    const early = Math.max(0, askedAtMs - serverMs);
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
