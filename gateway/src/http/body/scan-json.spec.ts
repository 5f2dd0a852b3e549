import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MemberNames, jsonPointer, scanJson } from './scan-json.ts';

/** Every call of the visitor, as text. */
function scan(text: string, maxDepth = 32) {
  const events: string[] = [];
  const stop = scanJson(text, maxDepth, {
    value: (path, kind, readString) => {
      events.push(`${jsonPointer(path)} ${kind === 'string' ? JSON.stringify(readString()) : kind}`);
    },
    duplicate: (path) => {
      events.push(`${jsonPointer(path)} again`);
    },
  });
  return { events, stop: stop && { pointer: jsonPointer(stop.path), reason: stop.reason } };
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('scanJson', () => {
  test('visits every value with its path, in the order of the text', () => {
    const { events, stop } = scan(' {"a":[1,{"b":null},[]],"c":{},"d":"\\u0041\\n"} ');
    expect(stop).toBeUndefined();
    expect(events).toEqual([
      ' object',
      '/a array',
      '/a/0 number',
      '/a/1 object',
      '/a/1/b null',
      '/a/2 array',
      '/c object',
      '/d "A\\n"',
    ]);
  });

  test('reports a repeated name at any level, with any escapes', () => {
    expect(scan('{"id":1,"\\u0069d":2}').events).toContain('/id again');
    expect(scan('{"x":[{"y":{"z":1,"q":1,"z":1}}]}').events).toContain('/x/0/y/z again');
    expect(scan('{"__proto__":1,"__proto__":2}').events).toContain('/__proto__ again');
    expect(scan('{"":1,"":2}').events).toContain('/ again');
  });

  test('distinguishes names that differ in more than their escapes', () => {
    expect(scan('{"a":1,"A":2,"a ":3,"a\\u0000":4}').events).not.toContainEqual(
      expect.stringMatching(/again/),
    );
    expect(scan('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}').events).not.toContainEqual(
      expect.stringMatching(/again/),
    );
  });

  test('skips one byte-order mark', () => {
    expect(scan('\ufeff[]').stop).toBeUndefined();
    expect(scan('\ufeff\ufeff[]').stop).toBeDefined();
  });

  test('reads up to the maximum depth and no deeper', () => {
    expect(scan('['.repeat(3) + ']'.repeat(3), 3).stop).toBeUndefined();
    expect(scan('[[[0]]]', 3).stop).toBeUndefined();
    expect(scan('[[[[]]]]', 3).stop).toEqual({ pointer: '/0/0/0', reason: 'too_deep' });
    expect(scan('{"a":{"b":{"c":{}}}}', 3).stop).toEqual({ pointer: '/a/b/c', reason: 'too_deep' });
  });

  test.each([
    ['{"jobs": {"job": [{"id": "A', '/jobs/job/0/id'],
    ['{"jobs": {"job": [{"id": "A"', '/jobs/job/0'],
    ['{"jobs": {"job": [{"id" "A"}]}}', '/jobs/job/0/id'],
    ['{"jobs": {"job": [{"id": "A"},]}}', '/jobs/job/1'],
    ['{"jobs": {"job": [{"id": "A",}]}}', '/jobs/job/0'],
    ['{"jobs": {"job": [{}}', '/jobs/job'],
    ['{} {}', ''],
    ['', ''],
  ])('%s stops at %s', (text, pointer) => {
    expect(scan(text).stop).toEqual({ pointer, reason: 'syntax' });
  });

  test.each<[string, number]>([
    ['{"a": 01}', 7],
    ['{"a": .5}', 6],
    ["{'a': 1}", 1],
    ['{"a": "\\x"}', 7],
    ['{"a": "b\n"}', 8],
    ['[1,]', 3],
    ['[1', 2],
    ['"abc', 4],
    ['\ufeff', 1],
    ['[] x', 3],
  ])('%j stops at character %i', (text, at) => {
    const stop = scanJson(text, 32, { value: () => undefined, duplicate: () => undefined });
    expect(stop?.at).toBe(at);
  });

  test.each([
    ...['01', '-', '+1', '.5', '1.', '1.e1', '1e', '1e+', '0x1', '--1', 'NaN', 'Infinity', '1_0', '１'],
    ...[
      'tru',
      'TRUE',
      'nullx',
      'undefined',
      "'a'",
      '"a',
      '"\\x"',
      '"\\u12"',
      '"\\u12G4"',
      '"\t"',
      '"\u0000"',
    ],
    ...['"\\', '"\\u', '[', ']', '[1 2]', '[1,,2]', '[,]', '{', '}', '{a:1}', '{"a"}', '{"a":}', '{"a":1,}'],
    ...['[1}', '{"a":1]', '// x', '[/**/]', '\u00a0[]', '[]\u2028', '\u0000', '[]\u0000', ' ', '\v[]'],
  ])('%j is no JSON', (text) => {
    expect(isJson(text)).toBe(false);
    expect(scan(text).stop).toMatchObject({ reason: 'syntax' });
  });

  test.each([
    '-0',
    '0.0',
    '1E-5',
    '1e400',
    '"\\u0000"',
    '"\\ud800"',
    '"\u007f\u2028"',
    '\t\r\n [ ]',
    '"\\/"',
  ])('%j is JSON', (text) => {
    expect(isJson(text)).toBe(true);
    expect(scan(text).stop).toBeUndefined();
  });

  test('accepts exactly the texts that JSON.parse accepts', () => {
    const json = fc
      .tuple(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 0, 1, 2))
      .map(([text, space]) => JSON.stringify(JSON.parse(text), undefined, space));
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat(2),
      put: fc.constantFrom(
        '',
        ',',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ':',
        '0',
        '-',
        '.',
        'e',
        'n',
        ' ',
        '\n',
        '\u0001',
      ),
    });
    fc.assert(
      fc.property(json, fc.option(damage), (whole, change) => {
        const at = change ? change.at % (whole.length + 1) : 0;
        const text = change ? whole.slice(0, at) + change.put + whole.slice(at + change.length) : whole;
        expect(scan(text).stop === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads any string to the same value as JSON.parse', () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom('"', '\\', '\n', '\ud800'),
    );
    fc.assert(
      fc.property(
        fc.array(character).map((characters) => characters.join('')),
        (value) => {
          const text = JSON.stringify(value);
          expect(scan(text).events).toEqual([` ${text}`]);
        },
      ),
    );
  });

  test.each([
    [
      'numbers for names',
      `{${Array.from({ length: 300_000 }, (_, index) => `"${String(index * 4096)}":0`).join()}}`,
    ],
    ['one long string', `["${'x'.repeat(4_000_000)}"]`],
    ['escapes only', `["${'\\\\'.repeat(2_000_000)}"]`],
    ['one long number', '1'.repeat(4_000_000)],
    ['many strings and one late escape', `[${'"x",'.repeat(1_000_000)}"\\n"]`],
    ['white space', `[${' '.repeat(4_000_000)}]`],
  ])('reads 4 MB of %s in linear time', (_, text) => {
    expect(scanJson(text, 32, { value: () => undefined, duplicate: () => undefined })).toBeUndefined();
  });

  test('an error of the visitor is thrown, not reported as a fault of the text', () => {
    const broken = () => {
      throw new TypeError('a defect');
    };
    expect(() => scanJson('[]', 32, { value: broken, duplicate: broken })).toThrow('a defect');
  });

  test('stops early in a deeply nested text', () => {
    expect(scan('['.repeat(4_000_000)).stop?.reason).toBe('too_deep');
  });
});

test('the root is the empty pointer', () => {
  expect(jsonPointer([])).toBe('');
});

test('names and indexes are joined by slashes', () => {
  expect(jsonPointer(['jobs', 'job', 3, 'id'])).toBe('/jobs/job/3/id');
});

test('a tilde and a slash in a name are escaped, the tilde first', () => {
  expect(jsonPointer(['a/b', '~1', ''])).toBe('/a~1b/~01/');
});

test('a long name is cut', () => {
  expect(jsonPointer(['n'.repeat(1_000_000), 'id'])).toBe(`/${'n'.repeat(128)}/id`);
});

test('a repeated name is found among few and many names', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(20).map(String), fc.constantFrom('', '__proto__', '"', '"1'), fc.string()), {
        maxLength: 40,
        size: 'max',
      }),
      (sequence) => {
        const names = new MemberNames();
        const seen = new Set<string>();
        for (const name of sequence) {
          expect(names.add(name)).toBe(!seen.has(name));
          seen.add(name);
        }
      },
    ),
  );
});
