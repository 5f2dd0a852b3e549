import { createRequire } from 'node:module';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type kafkajs from 'kafkajs';
import type { Message } from 'kafkajs';
import {
  encodeProduceRequest,
  type Encoded,
  type EventMessage,
  type ProduceRequest,
} from './encode-produce-request.ts';
import type * as replacing from './kafkajs.ts';
import { partitionOf } from './partition-of.ts';

// Before kafkajs.ts is loaded, which replaces them.
const require = createRequire(import.meta.url);
const files = {
  produce: 'kafkajs/src/protocol/requests/produce/v3/request.js',
  produceOfToday: 'kafkajs/src/protocol/requests/produce/v7/request.js',
  groupByPartition: 'kafkajs/src/producer/groupMessagesPerPartition.js',
};
const original = {
  produce: require(files.produce) as (request: ProduceRequest) => {
    encode: () => Promise<Encoded>;
  },
  groupByPartition: require(files.groupByPartition) as typeof replacing.groupByPartition,
};
const { groupByPartition } = await import('./kafkajs.ts');
const { Partitioners } = require('kafkajs') as typeof kafkajs;

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('0'.repeat(200)));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const headerName = fc.oneof(fc.constantFrom('ce_id', 'ce_type', 'content-type'), text);
const headerValue = fc.oneof(fc.constantFrom('1.0', 'jobs.deleted.v1', 'ö'), text, bytes);
const headers = fc.dictionary(headerName, fc.oneof(headerValue, fc.array(headerValue, { maxLength: 3 })));
const message = fc.record(
  {
    key: fc.oneof(text, bytes, fc.constant(null)),
    value: fc.oneof(bytes, text, fc.constant(null)),
    headers,
  },
  { requiredKeys: ['key', 'value'] },
);
// Few headers, so that a record has those of the one before, or others.
const event = fc.record({
  key: text,
  id: text,
  value: fc.oneof(text, bytes),
  headers: fc.constantFrom<Record<string, string>>({}, { ce_type: 'a', note: 'é' }, { ce_type: 'b' }),
});
const partition = fc.record(
  {
    partition: fc.nat(),
    firstSequence: fc.nat(),
    // More than a varint of one byte counts, now and then.
    messages: fc.oneof(
      fc.array(fc.oneof(message, event), { minLength: 1, maxLength: 8 }),
      message.map((one) => Array.from({ length: 200 }, () => one)),
    ),
  },
  { requiredKeys: ['partition', 'messages'] },
);
const request = fc.record(
  {
    acks: fc.constantFrom(-1, 0, 1),
    timeout: fc.nat(),
    producerId: fc.bigInt({ min: -1n, max: 2n ** 63n - 1n }).map(String),
    producerEpoch: fc.nat({ max: 32_767 }),
    topicData: fc.array(
      fc.record({ topic: fc.string(), partitions: fc.array(partition, { maxLength: 3 }) }),
      {
        maxLength: 3,
      },
    ),
  },
  { requiredKeys: ['acks', 'timeout', 'topicData'] },
);

const gzip = 1;

test('kafkajs uses the replacements, and its own where they would not do', async () => {
  expect(require(files.groupByPartition)).toBe(groupByPartition);
  // What it asks today's brokers by.
  const produce = require(files.produceOfToday) as typeof original.produce;
  const message = { key: 'a', value: 'b' };
  const plain = {
    acks: -1,
    timeout: 1,
    topicData: [{ topic: 't', partitions: [{ partition: 0, messages: [message] }] }],
  };
  expect(produce(plain)).toMatchObject({ apiName: 'Produce', apiVersion: 7 });
  const encoded = await produce(plain).encode();
  expect(encoded.buf).toBe(encoded.buffer);

  const dated = { ...message, timestamp: '1700000000000' };
  for (const special of [
    { ...plain, compression: gzip },
    { ...plain, transactionalId: 'one' },
    { ...plain, topicData: [{ topic: 't', partitions: [{ partition: 0, messages: [dated] }] }] },
  ]) {
    expect((await produce(special).encode()).buf).not.toBe((await produce(special).encode()).buffer);
  }
});

test('a request to publish is encoded as kafkajs encodes it', async () => {
  const nowMs = Date.UTC(2031, 1, 3, 4, 5, 6, 789);
  jest.useFakeTimers({ now: nowMs });
  try {
    await fc.assert(
      fc.asyncProperty(request, async (fields) => {
        const expected = (await original.produce(withIdsAmongHeaders(fields)).encode()).buffer;
        const { buf, buffer } = encodeProduceRequest(fields, nowMs);
        expect(buffer.toString('hex')).toBe(expected.toString('hex'));
        expect(buf).toBe(buffer);
      }),
      { numRuns: 300 },
    );
  } finally {
    jest.useRealTimers();
  }
});

function withIdsAmongHeaders(fields: ProduceRequest): ProduceRequest {
  const withHeader = ({ id, headers, ...message }: EventMessage): Message => ({
    ...message,
    headers: { ...(id !== undefined && { ce_id: id }), ...headers },
  });
  const topicData = fields.topicData.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((data) => ({ ...data, messages: data.messages.map(withHeader) })),
  }));
  return { ...fields, topicData };
}

test('a key has the partition that kafkajs gives it', () => {
  const partitioner = Partitioners.DefaultPartitioner();
  fc.assert(
    fc.property(fc.oneof(text, bytes), fc.integer({ min: 1, max: 100 }), (key, partitions) => {
      const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) =>
        aPartition(partitionId),
      );
      const expected = partitioner({
        topic: 'jobs.deleted.v1',
        partitionMetadata,
        message: { key, value: null },
      });
      expect(partitionOf(key, partitions)).toBe(expected);
    }),
  );
});

function aPartition(partitionId: number) {
  return { partitionId, partitionErrorCode: 0, leader: 1, replicas: [1], isr: [1] };
}

test('messages are grouped as kafkajs groups them', () => {
  const partitionMetadata = [4, 0, 2].map(aPartition);
  const grouping = (messages: Message[], partitions = partitionMetadata) => ({
    topic: 'jobs.deleted.v1',
    partitionMetadata: partitions,
    messages,
    partitioner: Partitioners.DefaultPartitioner(),
  });
  fc.assert(
    fc.property(fc.array(fc.record({ key: fc.string(), value: fc.string() })), (messages) => {
      expect(groupByPartition(grouping(messages))).toEqual(original.groupByPartition(grouping(messages)));
    }),
  );
  expect(groupByPartition(grouping([{ key: 'a', value: 'b' }], []))).toEqual({});
});

describe('the queue of a connection', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const createQueue = () => {
    const RequestQueue = require('kafkajs/src/network/requestQueue/index.js') as new (
      options: object,
    ) => Queue;
    const logger = { debug: jest.fn(), warn: jest.fn() };
    return new RequestQueue({ maxInFlightRequests: null, requestTimeout: 1_000, logger });
  };
  const aRequest = (correlationId: number) => ({
    entry: { correlationId, apiName: 'Fetch', resolve: jest.fn(), reject: jest.fn() },
    expectResponse: true,
    sendRequest: jest.fn(),
  });

  test('keeps no timer while nothing waits in it', () => {
    jest.useFakeTimers();
    const queue = createQueue();
    queue.push(aRequest(1));
    queue.fulfillRequest({ correlationId: 1, payload: undefined, size: 0 });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('sends what waits once the broker lets it', () => {
    jest.useFakeTimers();
    const queue = createQueue();
    queue.maybeThrottle(500);
    const request = aRequest(1);
    queue.push(request);
    jest.advanceTimersByTime(499);
    expect(request.sendRequest).not.toHaveBeenCalled();
    jest.advanceTimersByTime(11);
    expect(request.sendRequest).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});

interface Queue {
  push(request: object): void;
  fulfillRequest(response: object): void;
  maybeThrottle(ms: number): void;
}
