import fc from 'fast-check';
import { ImportError, type ImportRecord, type ValidRecord } from './import-record.ts';
import type { ByteChunks } from './utf8-text.ts';

export type Reader = (input: ByteChunks) => AsyncGenerator<ImportRecord>;

/** All that a reader does with a file: what it yields before the first error, and that error. */
export async function readAll(reader: Reader, chunks: readonly (Buffer | string)[]) {
  const records: ValidRecord[] = [];
  try {
    for await (const record of reader(toChunks(chunks))) {
      if ('error' in record) throw record.error;
      records.push(record);
    }
    return { records, error: undefined };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { records, error: { line: error.line, message: error.message } };
  }
}

export async function* toChunks(chunks: Iterable<Buffer | string>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk as string));
}

/** The bytes in pieces, cut at these places. */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

export const somePlaces = fc.array(fc.nat(100_000), { maxLength: 30 });

/** Text that readers trip over: characters of every length in UTF-8, and every format's own. */
const someText = fc.string({
  unit: fc.constantFrom(
    ...['a', 'Z', '0', ' ', 'é', 'œ', '漢', '😀', '\uFFFD', '\u2028'],
    ...['"', "'", '\\', '{', '}', '[', ']', ',', ':', ';', '<', '>', '&', '/', '\n', '\r\n', '\t'],
  ),
  maxLength: 12,
});

export const someJobs = fc.array(
  fc.record({
    id: fc.stringMatching(/^[A-Za-z0-9]{4,8}$/),
    title: someText,
    note: someText,
  }),
  { maxLength: 12 },
);

/** One byte of a good file replaced by another. */
export const someDamage = fc.record({
  place: fc.nat(100_000),
  byte: fc.constantFrom(...Buffer.from('"\\{}[],:<>&/!-x\n\r\0 '), 0x80, 0xc3, 0xe2, 0xf0, 0xff),
});

export function damaged(bytes: Buffer, { place, byte }: { place: number; byte: number }): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy[place % copy.length] = byte;
  return copy;
}

/** Chunk by chunk without an end, counting the bytes that have been asked for. */
export function endless(head: string, chunkOf: (index: number) => string) {
  const source = {
    bytes: 0,
    chunks: async function* (): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from(head));
      for (let index = 0; ; index += 1) {
        const chunk = Buffer.from(chunkOf(index));
        source.bytes += chunk.length;
        yield chunk;
      }
    },
  };
  return source;
}
