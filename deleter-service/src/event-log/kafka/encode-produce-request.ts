import type { IHeaders, Message } from 'kafkajs';
import { ByteWriter, byteLength, sizeOfVarint } from './byte-writer.ts';

/** As kafkajs hands it to the encoder of the request. */
export interface ProduceRequest {
  readonly acks: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** A number of 64 bits, however it is held; -1, as the other two, unless the producer is idempotent. */
  readonly producerId?: { toString(): string };
  readonly producerEpoch?: number;
  readonly topicData: readonly { readonly topic: string; readonly partitions: readonly PartitionData[] }[];
}

interface PartitionData {
  readonly partition: number;
  readonly firstSequence?: number;
  /** Their timestamps are of no account. */
  readonly messages: readonly EventMessage[];
}

/** What kafkajs takes for one of its encoders. */
export interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/**
 * The body of a Produce request, versions 3 to 8, of no transaction; its record batches, of version 2, all have the time
 * `nowMs` and are not compressed. Written in one pass into one buffer.
 * https://kafka.apache.org/protocol#The_Messages_Produce, https://kafka.apache.org/documentation/#recordbatch
 */
export function encodeProduceRequest(request: ProduceRequest, nowMs: number): Encoded {
  const { acks, timeout, topicData } = request;
  const writer = writerOfAll;
  writer.clear();
  writer.int16(none); // The transaction.
  writer.int16(acks);
  writer.int32(timeout);
  writer.int32(topicData.length);
  for (const { topic, partitions } of topicData) {
    writer.string(topic);
    writer.int32(partitions.length);
    for (const data of partitions) {
      writer.int32(data.partition);
      writer.sized(() => writeRecordBatch(writer, data, request, nowMs));
    }
  }
  const buffer = Buffer.from(writer.written());
  return { buf: buffer, buffer };
}

/** Of all requests, one after the other: what a new one took to grow was four times as much as it held. */
const writerOfAll = new ByteWriter(65_536);

const none = -1;

function writeRecordBatch(
  writer: ByteWriter,
  { messages, firstSequence = 0 }: PartitionData,
  { producerId = -1, producerEpoch = 0 }: ProduceRequest,
  nowMs: number,
): void {
  writer.int64(0n); // The base offset, which the broker gives.
  writer.sized(() => {
    writer.int32(0); // The epoch of the partition's leader, which the broker knows.
    writer.int8(magic);
    writer.checked(() => {
      writer.int16(0); // Not compressed, of no transaction.
      writer.int32(messages.length - 1);
      writer.int64(BigInt(nowMs));
      writer.int64(BigInt(nowMs));
      writer.int64(BigInt(producerId.toString()));
      writer.int16(producerEpoch);
      writer.int32(firstSequence);
      writer.int32(messages.length);
      messages.forEach((message, index) => writeRecord(writer, message, index));
    });
  });
}

const magic = 2;

/** A message may have the header `ce_id` by itself, apart from the others, which it shares. */
export interface EventMessage extends Message {
  readonly id?: string;
}

function writeRecord(
  writer: ByteWriter,
  { key, value, id, headers = noHeaders }: EventMessage,
  offsetDelta: number,
): void {
  const others = encodeHeaders(headers);
  const headerCount = others.count + (id === undefined ? 0 : 1);
  const keyBytes = byteLength(key);
  const valueBytes = byteLength(value);
  const idBytes = byteLength(id);
  let length = 2 + sizeOfVarint(offsetDelta);
  length += sizeOfVarint(keyBytes) + Math.max(0, keyBytes);
  length += sizeOfVarint(valueBytes) + Math.max(0, valueBytes);
  length += sizeOfVarint(headerCount) + others.bytes.length;
  if (id !== undefined) length += idName.length + sizeOfVarint(idBytes) + idBytes;

  writer.varint(length);
  writer.int8(0); // No attributes.
  writer.varint(0); // At the time of the batch.
  writer.varint(offsetDelta);
  writer.prefixed(key, keyBytes);
  writer.prefixed(value, valueBytes);
  writer.varint(headerCount);
  if (id !== undefined) {
    writer.bytes(idName, idName.length);
    writer.prefixed(id, idBytes);
  }
  writer.bytes(others.bytes, others.bytes.length);
}

const noHeaders: IHeaders = {};

interface EncodedHeaders {
  readonly count: number;
  readonly bytes: Buffer;
}

const encodedHeaders = new WeakMap<IHeaders, EncodedHeaders>();

/** Once for all records that have the object itself in common. */
export function encodeHeaders(headers: IHeaders): EncodedHeaders {
  const known = encodedHeaders.get(headers);
  if (known !== undefined) return known;
  const writer = new ByteWriter(256);
  let count = 0;
  const write = (name: string, value: Buffer | string) => {
    writer.prefixed(name, byteLength(name));
    writer.prefixed(value, byteLength(value));
    count += 1;
  };
  for (const name in headers) {
    const values = headers[name];
    if (Array.isArray(values)) for (const value of values) write(name, value);
    else if (values !== undefined) write(name, values);
  }
  const encoded = { count, bytes: writer.written() };
  encodedHeaders.set(headers, encoded);
  return encoded;
}

const idName = encodeName('ce_id');

function encodeName(name: string): Buffer {
  const writer = new ByteWriter(16);
  writer.prefixed(name, byteLength(name));
  return writer.written();
}
