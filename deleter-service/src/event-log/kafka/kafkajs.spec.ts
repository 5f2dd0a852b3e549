import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Message } from 'kafkajs';
import { encodeRecord, type EncodedRecord, type RecordFields } from './encode-record.ts';
import { groupByPartition, Partitioners } from './kafkajs.ts';

// Here the originals: jest lets no module be replaced in its cache.
const require = createRequire(import.meta.url);
const original = {
  encodeRecord: require('kafkajs/src/protocol/recordBatch/record/v0/index.js') as (
    fields: RecordFields,
  ) => EncodedRecord,
  groupByPartition: require('kafkajs/src/producer/groupMessagesPerPartition.js') as typeof groupByPartition,
};

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('0'.repeat(200)));
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
// Few names and values, so that one record has what the one before had.
const headerName = fc.oneof(fc.constantFrom('ce_id', 'ce_type', 'content-type'), text);
const headerValue = fc.oneof(fc.constantFrom('1.0', 'jobs.deleted.v1', 'ö'), text, bytes);
const headers = fc.dictionary(headerName, fc.oneof(headerValue, fc.array(headerValue, { maxLength: 3 })));
const record = fc.record(
  {
    key: fc.oneof(text, bytes, fc.constant(null)),
    value: fc.oneof(bytes, text, fc.constant(null)),
    headers,
    offsetDelta: fc.nat({ max: 100_000 }),
    timestampDelta: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  },
  { requiredKeys: ['key', 'value'] },
);

test('records are encoded as kafkajs encodes them', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (records) => {
      for (const fields of records) {
        const expected = original.encodeRecord(fields).buffer;
        const { buf, buffer } = encodeRecord(fields);
        expect(buffer.toString('hex')).toBe(expected.toString('hex'));
        expect(buf).toBe(buffer);
      }
    }),
    { numRuns: 500 },
  );
});

test('messages are grouped as kafkajs groups them', () => {
  const partitionMetadata = [4, 0, 2].map((partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));
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
