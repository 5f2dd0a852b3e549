import { randomUUID } from 'node:crypto';
import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { Kafka, logLevel } from 'kafkajs';
import { Schema } from 'mongoose';
import {
  Deletions,
  messageLimits,
  type DeleteJobsRequest,
  type DeleteJobsResponse,
} from './deletions-proto.ts';
import { sayListening } from './peer.ts';
import { connect, models } from './mongoose-models.ts';

// Peer b, the service: one transaction and one publication per request, one deleteMany per message.
const connection = await connect();
const { Job } = models(connection);
const Deletion = connection.model(
  'BenchDeletion',
  new Schema(
    {
      _id: String,
      account_id: String,
      job_ids: [String],
      state: String,
      accepted_at: Date,
      completed_at: Date,
    },
    { versionKey: false },
  ),
  'bench_deletions',
);
await Deletion.createCollection();

const kafka = new Kafka({
  clientId: 'bench-peer',
  brokers: (process.env.KAFKA_BROKERS ?? '').split(','),
  logLevel: logLevel.ERROR,
});
const topic = process.env.KAFKA_TOPIC ?? '';
const producer = kafka.producer({ allowAutoTopicCreation: false });
await producer.connect();

/** Marks all the jobs or none, and records the deletion. */
async function accept(accountId: string, ids: readonly string[]): Promise<string | undefined> {
  const deletionId = randomUUID();
  const session = await connection.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const marked = await Job.updateMany(
          { account_id: accountId, id: { $in: ids }, deletion_id: { $exists: false } },
          { $set: { deletion_id: deletionId } },
          { session },
        );
        if (marked.modifiedCount < ids.length) {
          await session.abortTransaction();
          return undefined;
        }
        const deletion = { _id: deletionId, account_id: accountId, job_ids: [...ids], state: 'accepted' };
        await Deletion.create([{ ...deletion, accepted_at: new Date() }], { session });
        return deletionId;
      },
      { writeConcern: { w: 'majority', journal: true } },
    );
  } finally {
    await session.endSession();
  }
}

const deleteJobs: handleUnaryCall<DeleteJobsRequest, DeleteJobsResponse> = ({ request }, callback) => {
  const { account_id, job_ids } = request;
  accept(account_id, job_ids)
    .then(async (deletionId) => {
      if (deletionId === undefined) return { found: false, deletion_id: '' };
      const value = JSON.stringify({ deletion_id: deletionId, account_id, job_ids });
      await producer.send({ topic, acks: -1, messages: [{ key: deletionId, value }] });
      return { found: true, deletion_id: deletionId };
    })
    .then(
      (response) => callback(null, response),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
};

const consumer = kafka.consumer({ groupId: `${topic}.removal` });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: 4,
  eachMessage: async ({ message }) => {
    const { deletion_id, account_id, job_ids } = JSON.parse(String(message.value)) as {
      deletion_id: string;
      account_id: string;
      job_ids: string[];
    };
    await Job.deleteMany({ account_id, id: { $in: job_ids }, deletion_id });
    await Deletion.updateOne(
      { _id: deletion_id },
      { $set: { state: 'completed', completed_at: new Date() } },
    );
  },
});

const server = new Server(messageLimits);
server.addService(Deletions.service, { deleteJobs });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  sayListening(port);
});
