import { workerData, type MessagePort } from 'node:worker_threads';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { topics } from '@jobs-delete/proto/events';
import { mongo } from 'mongoose';
import { withDatabase } from './cluster-aftermath.ts';
import type { DumpRequest } from './dump-storage.ts';

const port = workerData as MessagePort;

port.on('message', (request: DumpRequest) => {
  void dump(request)
    .then(
      (text) => port.postMessage({ dump: text }),
      (error: unknown) => port.postMessage({ error: String(error) }),
    )
    .finally(() => {
      Atomics.store(request.isAnswered, 0, 1);
      Atomics.notify(request.isAnswered, 0);
    });
});

async function dump(request: DumpRequest): Promise<string> {
  const collections = await withDatabase(request, async (database) => {
    const all = (await database.listCollections().toArray()).map(({ name }) => name).sort();
    const names = all.filter((name) => !name.startsWith('refus') && name !== 'domain_uses');
    const projection = { last_refused_at: 0 };
    const documents = (name: string) =>
      database.collection(name).find({}, { projection }).sort({ _id: 1 }).toArray();
    return Promise.all(names.map(async (name) => [name, await documents(name)] as const));
  });
  const { EJSON } = mongo.BSON;
  return EJSON.stringify({ collections, topics: await topicEnds(request) }, { relaxed: false });
}

async function topicEnds({ kafka: target }: DumpRequest) {
  const { kafka, topicName } = connectKafka(target);
  return withAdmin(kafka, async (admin) => {
    return await Promise.all(
      topics.map(async (topic) => {
        const ends = await admin.fetchTopicOffsets(topicName(topic));
        return [topic, ends.map(({ partition, high }) => `${String(partition)}: ${high}`).sort()] as const;
      }),
    );
  });
}
