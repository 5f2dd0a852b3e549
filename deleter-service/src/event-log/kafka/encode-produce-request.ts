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
  readonly messages: readonly Message[];
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

function writeRecord(writer: ByteWriter, { key, value, headers = {} }: Message, offsetDelta: number): void {
  const encoded = encodeHeaders(headers);
  const keyBytes = byteLength(key);
  const valueBytes = byteLength(value);
  let length = 2 + sizeOfVarint(offsetDelta);
  length += sizeOfVarint(keyBytes) + Math.max(0, keyBytes);
  length += sizeOfVarint(valueBytes) + Math.max(0, valueBytes);
  length += sizeOfVarint(encoded.length);
  for (const header of encoded) length += header.length;

  writer.varint(length);
  writer.int8(0); // No attributes.
  writer.varint(0); // At the time of the batch.
  writer.varint(offsetDelta);
  writer.prefixed(key, keyBytes);
  writer.prefixed(value, valueBytes);
  writer.varint(encoded.length);
  for (const header of encoded) writer.bytes(header, header.length);
}

/**
 * By name: each event of a batch has most of its headers from the one before. Dead letters have those of whoever has
 * written the event, so it has an end.
 */
const lastHeaders = new Map<string, { readonly value: Buffer | string; readonly encoded: Buffer }>();
const maxLastHeaders = 32;

function encodeHeaders(headers: IHeaders): Buffer[] {
  const encoded: Buffer[] = [];
  for (const name in headers) {
    const values = headers[name];
    if (Array.isArray(values)) for (const value of values) encoded.push(encodeHeader(name, value));
    else if (values !== undefined) encoded.push(encodeHeader(name, values));
  }
  return encoded;
}

function encodeHeader(name: string, value: Buffer | string): Buffer {
  const last = lastHeaders.get(name);
  if (last?.value === value) return last.encoded;
  const nameBytes = byteLength(name);
  const valueBytes = byteLength(value);
  const writer = new ByteWriter(nameBytes + valueBytes + 10);
  writer.prefixed(name, nameBytes);
  writer.prefixed(value, valueBytes);
  const encoded = writer.written();
  if (typeof value === 'string') {
    if (lastHeaders.size >= maxLastHeaders) lastHeaders.clear();
    lastHeaders.set(name, { value, encoded });
  }
  return encoded;
}
