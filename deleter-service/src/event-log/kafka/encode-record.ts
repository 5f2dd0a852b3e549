import type { IHeaders, Message } from 'kafkajs';

export interface RecordFields extends Partial<Pick<Message, 'key' | 'value'>> {
  readonly headers?: IHeaders;
  readonly offsetDelta?: number;
  /** In milliseconds. */
  readonly timestampDelta?: number;
}

/** What kafkajs takes for one of its encoders. */
export interface EncodedRecord {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/**
 * A record as it stands in a record batch, version 2.
 * https://kafka.apache.org/documentation/#record
 * Each event of a batch has most of its headers from the one before, so those are taken from there.
 */
export function encodeRecord(fields: RecordFields): EncodedRecord {
  const { offsetDelta = 0, timestampDelta = 0, key, value } = fields;
  const headers = encodeHeaders(fields.headers ?? {});
  const keyBytes = byteLength(key);
  const valueBytes = byteLength(value);
  let bodyBytes = attributesBytes + varintBytes(timestampDelta) + varintBytes(offsetDelta);
  bodyBytes += varintBytes(keyBytes) + Math.max(0, keyBytes);
  bodyBytes += varintBytes(valueBytes) + Math.max(0, valueBytes);
  bodyBytes += varintBytes(headers.length);
  for (const { length } of headers) bodyBytes += length;

  const buffer = Buffer.allocUnsafe(varintBytes(bodyBytes) + bodyBytes);
  let at = writeVarint(buffer, 0, bodyBytes);
  at = buffer.writeUInt8(noAttributes, at);
  at = writeVarint(buffer, at, timestampDelta);
  at = writeVarint(buffer, at, offsetDelta);
  at = writeBytes(buffer, at, key, keyBytes);
  at = writeBytes(buffer, at, value, valueBytes);
  at = writeVarint(buffer, at, headers.length);
  for (const header of headers) {
    buffer.set(header, at);
    at += header.length;
  }
  return { buf: buffer, buffer };
}

const attributesBytes = 1;
const noAttributes = 0;

type Bytes = Buffer | string | null | undefined;

/** By name: the last one, encoded. There are as many as there are names of headers in this program. */
const lastHeaders = new Map<string, { readonly value: Buffer | string; readonly encoded: Buffer }>();

function encodeHeaders(headers: IHeaders): Buffer[] {
  const encoded: Buffer[] = [];
  for (const name in headers) {
    const values = headers[name];
    for (const value of Array.isArray(values) ? values : [values]) {
      if (value !== undefined) encoded.push(encodeHeader(name, value));
    }
  }
  return encoded;
}

function encodeHeader(name: string, value: Buffer | string): Buffer {
  const last = lastHeaders.get(name);
  if (last?.value === value) return last.encoded;
  const nameBytes = byteLength(name);
  const valueBytes = byteLength(value);
  const encoded = Buffer.allocUnsafe(
    varintBytes(nameBytes) + nameBytes + varintBytes(valueBytes) + valueBytes,
  );
  writeBytes(encoded, writeBytes(encoded, 0, name, nameBytes), value, valueBytes);
  if (typeof value === 'string') lastHeaders.set(name, { value, encoded });
  return encoded;
}

/** @returns -1 for none, as the format has it */
function byteLength(bytes: Bytes): number {
  if (bytes === null || bytes === undefined) return -1;
  return typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
}

/** @returns where the next begins */
function writeBytes(buffer: Buffer, at: number, bytes: Bytes, length: number): number {
  const from = writeVarint(buffer, at, length);
  if (bytes === null || bytes === undefined) return from;
  if (typeof bytes === 'string') buffer.write(bytes, from, length, 'utf8');
  else buffer.set(bytes, from);
  return from + length;
}

/** Zigzag: small numbers of either sign are short. Of 32 bits: a batch has fewer records, bytes and milliseconds. */
function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

function varintBytes(value: number): number {
  const bits = 32 - Math.clz32(zigzag(value) | 1);
  return Math.ceil(bits / 7);
}

function writeVarint(buffer: Buffer, from: number, value: number): number {
  let rest = zigzag(value);
  let at = from;
  for (; rest > 0x7f; rest >>>= 7) buffer[at++] = (rest & 0x7f) | 0x80;
  buffer[at++] = rest;
  return at;
}
