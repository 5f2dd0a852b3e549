import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';

export const maxInputBytes = 1_024;

const numbers = [
  ...['0', '-0', '1', '-1', '00', '1e0', '1E400', '1.5', '31', '32', '33', '127', '128', '255', '256', '999'],
  ...['65535', '65536', '2147483647', '4294967296', '9007199254740991', '9007199254740993', '1e-400'],
].map((text) => Buffer.from(text));

const characters = [
  ...[
    '\0',
    '\t',
    '\n',
    '\r\n',
    '\x1f',
    ' ',
    '\x7f',
    '\x80',
    '\x85',
    '\xa0',
    'é',
    'ß',
    'İ',
    'ı',
    'K',
    '\u200b',
  ],
  ...[
    '\u2028',
    '\u202e',
    '\u3002',
    '\ud7ff',
    '\ue000',
    '\ufeff',
    '\ufffd',
    '\ufffe',
    '\uffff',
    'ａ',
    '😀',
    '\u{10ffff}',
  ],
]
  .map((text) => Buffer.from(text))
  .concat([
    ...['80', 'bf', 'c0af', 'c3', 'e280', 'eda080', 'edbfbf', 'f09f98', 'f4908080', 'fe', 'ff'].map((hex) =>
      Buffer.from(hex, 'hex'),
    ),
  ]);

/** Returns an entry of the corpus after 1 to 4 random changes, of at most `maxInputBytes`. */
export function mutate(random: SeededRandom, corpus: readonly Buffer[], words: readonly Buffer[]): Buffer {
  let input = pick(random, corpus);
  for (let changes = 1 + random.below(4); changes > 0; changes--)
    input = pick(random, mutations)(input, random, corpus, words);
  return input.subarray(0, maxInputBytes);
}

type Mutation = (
  input: Buffer,
  random: SeededRandom,
  corpus: readonly Buffer[],
  words: readonly Buffer[],
) => Buffer;

/** Replaces the bytes from `from` to `to`. */
function replace(input: Buffer, from: number, to: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([input.subarray(0, from), ...parts, input.subarray(to)]);
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}

/** Returns two places of the input, in order. Most are near each other. */
function span(input: Buffer, random: SeededRandom): [from: number, to: number] {
  const from = random.below(input.length + 1);
  const longest = random.below(4) === 0 ? input.length : 8;
  return [from, Math.min(input.length, from + random.below(longest + 1))];
}

function insert(choose: (random: SeededRandom, words: readonly Buffer[]) => Buffer): Mutation {
  return (input, random, _corpus, words) => {
    const at = random.below(input.length + 1);
    return replace(input, at, at, choose(random, words));
  };
}

const someWord = (random: SeededRandom, words: readonly Buffer[]) => pick(random, words);

const mutations: readonly Mutation[] = [
  insert(someWord),
  insert(someWord),
  insert((random) => pick(random, characters)),
  insert((random) => Buffer.of(0x20 + random.below(0x5f))),
  function flipBit(input, random) {
    if (input.length === 0) return input;
    const copy = Buffer.from(input);
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  function overwrite(input, random, _corpus, words) {
    return replace(input, ...span(input, random), pick(random, words));
  },
  function changeByte(input, random) {
    const at = random.below(input.length + 1);
    return replace(input, at, at + 1, Buffer.of(random.below(0x100)));
  },
  function remove(input, random) {
    return replace(input, ...span(input, random));
  },
  function truncate(input, random) {
    return input.subarray(0, random.below(input.length + 1));
  },
  function repeat(input, random) {
    const [from, to] = span(input, random);
    const times = 1 + random.below(random.below(8) === 0 ? 200 : 4);
    if ((to - from) * times > maxInputBytes) return input;
    return replace(input, to, to, ...Array.from({ length: times }, () => input.subarray(from, to)));
  },
  function splice(input, random, corpus) {
    const other = pick(random, corpus);
    return Buffer.concat([
      input.subarray(0, random.below(input.length + 1)),
      other.subarray(random.below(other.length + 1)),
    ]);
  },
  function insertPart(input, random, corpus) {
    const other = pick(random, corpus);
    const at = random.below(input.length + 1);
    return replace(input, at, at, other.subarray(...span(other, random)));
  },
  function changeNumber(input, random) {
    const found = [...input.toString('latin1').matchAll(/\d+/g)];
    if (found.length === 0) return input;
    const { index, 0: digits } = pick(random, found);
    return replace(input, index, index + digits.length, pick(random, numbers));
  },
  function changeCase(input, random) {
    const copy = Buffer.from(input);
    const at = random.below(copy.length + 1);
    if (/[A-Za-z]/.test(String.fromCharCode(copy[at] ?? 0))) copy[at] = (copy[at] ?? 0) ^ 0x20;
    return copy;
  },
];
