import { randomBytes } from 'node:crypto';
import { readJsonJobs } from '@jobs-delete/gateway/http/body/read-json-jobs';
import { readXmlJobs } from '@jobs-delete/gateway/http/body/read-xml-jobs';
import { credentials } from '@grpc/grpc-js';
import { XMLParser } from 'fast-xml-parser';
import { Kafka, logLevel } from 'kafkajs';
import { createConnection, type mongo } from 'mongoose';
import { SaxesParser } from 'saxes';
import { bodyOf, jobIds } from '../load/orders.ts';
import { Deletions } from '../peers/deletions-proto.ts';

export interface RawOrder {
  readonly databaseUrl: string;
  readonly accountId: string;
  readonly firstJob: number;
  readonly jobs: number;
  readonly kafkaBrokers: readonly string[];
  readonly topic: string;
  readonly grpcPort: number;
  readonly seconds: number;
}

// A separate process, so the figures contain no work of the bench itself.
process.once('message', (order: RawOrder) => {
  void measure(order).then((figures) => process.send?.(figures, () => process.exit(0)));
});

async function measure(order: RawOrder): Promise<Record<string, number>> {
  const { databaseUrl, accountId, firstJob, jobs, kafkaBrokers, topic, grpcPort, seconds } = order;
  return {
    ...(await mongoLimits(databaseUrl, { accountId, firstJob, count: jobs }, seconds)),
    ...(await kafkaLimits(kafkaBrokers, topic, seconds)),
    ...(await grpcLimits(grpcPort, seconds)),
    ...parserLimits(30),
  };
}

const idsPerCommand = 1_000;
const commandsInFlight = 4;
const durable = { w: 'majority', journal: true } as const;

/** Measures finds, deletes and inserts of MongoDB alone. Deletes the given jobs. */
async function mongoLimits(
  databaseUrl: string,
  jobs: { readonly accountId: string; readonly firstJob: number; readonly count: number },
  seconds: number,
) {
  const connection = await createConnection(databaseUrl, {
    maxPoolSize: 64,
    writeConcern: durable,
  }).asPromise();
  const database = connection.getClient().db();
  const collection = database.collection('jobs');
  const chunks = Array.from({ length: jobs.count / idsPerCommand }, (_, index) =>
    jobIds(jobs.firstJob + index * idsPerCommand, idsPerCommand),
  );
  const claims: mongo.ObjectId[][] = [];
  const findSeconds = await timeAll(chunks, async (ids) => {
    const filter = { account_id: jobs.accountId, id: { $in: ids } };
    const found = await collection.find(filter, { projection: { _id: 1 } }).toArray();
    claims.push(found.map(({ _id }) => _id));
  });
  const deleteSeconds = await timeAll(claims, (ids) => collection.deleteMany({ _id: { $in: ids } }));
  const inserts = await perSecond(64, seconds, () =>
    database.collection('bench_inserts').insertOne({ value: randomBytes(100) }),
  );
  await database.collection('bench_inserts').drop();
  await connection.close();
  return {
    'find by id, jobs/s': jobs.count / findSeconds,
    'deleteMany by _id, jobs/s': jobs.count / deleteSeconds,
    'insert, 64 in flight, documents/s': inserts,
  };
}

async function timeAll<Part>(parts: readonly Part[], operation: (part: Part) => Promise<unknown>) {
  const left = [...parts];
  const startedAt = performance.now();
  const worker = async () => {
    for (let part = left.pop(); part !== undefined; part = left.pop()) await operation(part);
  };
  await Promise.all(Array.from({ length: commandsInFlight }, worker));
  return (performance.now() - startedAt) / 1_000;
}

/** Measures messages of an event's size, acknowledged by all replicas. */
async function kafkaLimits(brokers: readonly string[], topic: string, seconds: number) {
  const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.ERROR }).producer({
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  const value = 'x'.repeat(300);
  const send = (batch: number) => () =>
    producer.send({ topic, acks: -1, messages: Array.from({ length: batch }, () => ({ value })) });
  const single = await perSecond(64, seconds, send(1));
  const hundreds = await perSecond(4, seconds, send(100));
  const thousands = await perSecond(4, seconds, send(1_000));
  await producer.disconnect();
  return {
    'kafkajs produce one by one, 64 in flight, messages/s': single,
    'kafkajs produce in batches of 100, messages/s': hundreds * 100,
    'kafkajs produce in batches of 1,000, messages/s': thousands * 1_000,
  };
}

/** Measures small calls to an echo server in another process. */
async function grpcLimits(port: number, seconds: number) {
  const client = new Deletions(`127.0.0.1:${String(port)}`, credentials.createInsecure());
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const request = { account_id: 'bench', job_ids: ['JB00000000'] };
      client.deleteJobs(request, { deadline: Date.now() + 10_000 }, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  const calls = await perSecond(64, seconds, call);
  client.close();
  return { 'grpc-js unary, 64 in flight, calls/s': calls };
}

const fastXmlParser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'job' });

const readers = {
  'JSON reader of the gateway': (body: Buffer) => readJsonJobs(body, 10_000),
  'XML reader of the gateway': (body: Buffer) => readXmlJobs(body, 10_000),
  'JSON.parse': (body: Buffer) => JSON.parse(body.toString('utf8')) as unknown,
  'saxes alone': (body: Buffer) => new SaxesParser().write(body.toString('utf8')).close(),
  'fast-xml-parser': (body: Buffer) => fastXmlParser.parse(body.toString('utf8')) as unknown,
} as const;

/** Measures the throughput for bodies of 1,000 ids, and how long one of 10,000 ids blocks the event loop. */
function parserLimits(rounds: number) {
  const bodies = (count: number) => ({
    json: Buffer.from(bodyOf(jobIds(0, count), 'json')),
    xml: Buffer.from(bodyOf(jobIds(0, count), 'xml')),
  });
  const thousand = bodies(1_000);
  const tenThousand = bodies(10_000);
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, read]) => {
      const format = name.startsWith('JSON') ? 'json' : 'xml';
      const many = times(rounds * 10, () => read(thousand[format]));
      const large = times(rounds, () => read(tenThousand[format]));
      return [
        [`${name}, 1,000 ids, jobs/s`, 1_000_000 / middle(many)],
        [`${name}, 10,000 ids, ms`, middle(large)],
        [`${name}, 10,000 ids, longest ms`, large.at(-1) ?? NaN],
      ] as const;
    }),
  );
}

/** Returns sorted durations, without the first tenth: its code is not compiled yet. */
function times(rounds: number, run: () => unknown): number[] {
  const all = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
  return all.slice(Math.ceil(rounds / 10)).sort((a, b) => a - b);
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Repeats an operation for the given time, with `inFlight` concurrent calls. Returns the operations per second. */
async function perSecond(
  inFlight: number,
  seconds: number,
  operation: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1_000;
  let done = 0;
  const caller = async () => {
    while (performance.now() < deadline) {
      await operation();
      done++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (done * 1_000) / (performance.now() - startedAt);
}
