import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutAt, somePlaces, toChunks } from './import.fixture.ts';
import { utf8Text } from './utf8-text.ts';

async function decode(chunks: readonly Buffer[]) {
  const parts: string[] = [];
  try {
    for await (const part of utf8Text(toChunks(chunks))) parts.push(part);
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
  test('are decoded up to the first invalid byte', async () => {
    await fc.assert(
      fc.asyncProperty(someBytes, somePlaces, async (bytes, places) => {
        const { parts, error } = await decode(cutAt(bytes, places));
        const good = bytes.subarray(0, goodBytes(bytes));
        expect(parts.join('')).toBe(good.toString());
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
    expect(parts.join('')).toBe('a\uFEFF');
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
  expect(parts.join('')).toBe(text.replace('\uFEFF', ''));
});

test('a large chunk is split', async () => {
  const { parts } = await decode([Buffer.from('é'.repeat(200_001))]);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(65_540);
  expect(parts.join('')).toBe('é'.repeat(200_001));
});
