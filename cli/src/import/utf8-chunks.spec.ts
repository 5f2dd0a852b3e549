import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutAt, somePlaces, toChunks } from './import.fixture.ts';
import { utf8Chunks } from './utf8-chunks.ts';

async function decode(chunks: readonly Buffer[]) {
  const parts: Buffer[] = [];
  try {
    for await (const part of utf8Chunks(toChunks(chunks))) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    return { parts, error };
  }
}

/** How much of the start of the bytes is UTF-8, told by the platform's decoder. */
function goodBytes(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let length = bytes.length; length > 0; length -= 1) {
    try {
      decoder.decode(bytes.subarray(0, length));
      return length;
    } catch {
      continue;
    }
  }
  return 0;
}

const someBytes = fc
  .array(
    fc.constantFrom(
      ...['a', '\n', 'é', '漢', '😀', '\uFFFD'].map((text) => Buffer.from(text)),
      ...[[0x80], [0xc3], [0xe6, 0xbc], [0xf0, 0x9f, 0x98], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]].map(
        (bytes) => Buffer.from(bytes),
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.concat([Buffer.from('x'), ...parts]));

describe('any bytes', () => {
  test('are yielded up to the first invalid byte, split only between characters', async () => {
    await fc.assert(
      fc.asyncProperty(someBytes, somePlaces, async (bytes, places) => {
        const { parts, error } = await decode(cutAt(bytes, places));
        const good = bytes.subarray(0, goodBytes(bytes));
        expect(Buffer.concat(parts)).toEqual(good);
        expect(parts.every((part) => isUtf8(part))).toBe(true);
        if (good.length === bytes.length) expect(error).toBeUndefined();
        else
          expect(error).toMatchObject({
            name: 'ImportError',
            line: good.toString().split('\n').length,
            message: 'the text is not valid UTF-8',
          });
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a byte-order mark is removed only at the start', async () => {
  const bytes = Buffer.from('\uFEFFa\uFEFF');
  for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.of(byte))]) {
    const { parts } = await decode(chunks);
    expect(Buffer.concat(parts).toString()).toBe('a\uFEFF');
  }
});

test.each([Buffer.of(0xef), Buffer.of(0xef, 0xbb), Buffer.of(0x61, 0xc3)])(
  'the cut-off end %o is refused',
  async (bytes) => {
    expect(await decode([bytes])).toMatchObject({ error: { line: 1 } });
  },
);

test.each(['', 'a', 'ab', '\uFEFF'])('%j is yielded unchanged', async (text) => {
  const { parts, error } = await decode([Buffer.from(text)]);
  expect(error).toBeUndefined();
  expect(Buffer.concat(parts).toString()).toBe(text.replace('\uFEFF', ''));
});

test('a large chunk is split', async () => {
  const { parts } = await decode([Buffer.from('é'.repeat(200_001))]);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(65_540);
  expect(Buffer.concat(parts).toString()).toBe('é'.repeat(200_001));
});
