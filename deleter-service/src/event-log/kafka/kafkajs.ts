import { createRequire } from 'node:module';
import type kafkajs from 'kafkajs';
import type { ICustomPartitioner, Message, PartitionMetadata } from 'kafkajs';
import { encodeProduceRequest, type Encoded, type ProduceRequest } from './encode-produce-request.ts';

/**
 * kafkajs with two of its functions replaced, before it loads them: a request to publish is encoded in one pass and not
 * through an array, a Long and a kilobyte of zeros for every few bytes, and the messages before each one are not copied
 * to find its partition. The worker publishes a message for each job it has removed. The version is pinned, and a spec
 * compares both byte for byte. A third function kept each connection's timer running for nothing.
 */
const require = createRequire(import.meta.url);
replace<CreateProduce>('protocol/requests/produce/v3/request.js', encodePlainly);
replace('producer/groupMessagesPerPartition.js', () => groupByPartition);
replace('network/requestQueue/index.js', restWhenEmpty);

// Only here, so that nothing can load it first.
export const { Kafka, logLevel } = require('kafkajs') as typeof kafkajs;
export type Kafka = kafkajs.Kafka;

function replace<Value>(file: string, replacementOf: (original: Value) => Value): void {
  const path = `kafkajs/src/${file}`;
  const original = require(path) as Value;
  const loaded = require.cache[require.resolve(path)];
  if (loaded !== undefined) loaded.exports = replacementOf(original);
}

type CreateProduce = (request: KafkajsProduceRequest) => { readonly encode: () => Promise<Encoded> };

interface KafkajsProduceRequest extends ProduceRequest {
  readonly transactionalId?: string | null;
  readonly compression?: number;
}

function encodePlainly(original: CreateProduce): CreateProduce {
  return (request) => {
    const produce = original(request);
    if (!isPlain(request)) return produce;
    return { ...produce, encode: () => Promise.resolve(encodeProduceRequest(request, Date.now())) };
  };
}

/** What this program has no use for is left to kafkajs. */
function isPlain({ compression, transactionalId, topicData }: KafkajsProduceRequest): boolean {
  const hasTime = topicData.some(({ partitions }) =>
    partitions.some(({ messages }) => messages.some(({ timestamp }) => timestamp !== undefined)),
  );
  return !compression && !transactionalId && !hasTime;
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Once anything has been answered, a connection's queue looks every millisecond whether a request waits in it, for ever
 * (https://github.com/tulios/kafkajs/issues/1704). What comes to wait has it look, and an answer too.
 */
function restWhenEmpty(original: { readonly prototype: RequestQueue }) {
  const { prototype } = original;
  const { scheduleCheckPendingRequests: schedule } = prototype;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
  return original;
}

interface Grouping {
  readonly topic: string;
  readonly partitionMetadata: PartitionMetadata[];
  readonly messages: readonly Message[];
  readonly partitioner: ReturnType<ICustomPartitioner>;
}

export function groupByPartition({ topic, partitionMetadata, messages, partitioner }: Grouping) {
  const groups: Record<number, Message[]> = {};
  if (partitionMetadata.length === 0) return groups;
  for (const message of messages) {
    const partition = partitioner({ topic, partitionMetadata, message });
    (groups[partition] ??= []).push(message);
  }
  return groups;
}
