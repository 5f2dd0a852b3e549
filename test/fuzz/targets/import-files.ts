import { ImportError } from 'jobs-delete/import/import-record';
import { readers } from 'jobs-delete/import/formats';
import type { Target } from '../fuzz.ts';
import { decodeUtf8 } from './job-outcome.ts';
import { isObject, jsonMarks, parseJson } from './json.ts';
import { parseReferenceXml, textOf, type XmlElement } from './reference-xml.ts';

const jsonWords = [
  ...[...jsonMarks, '\\', '\\"', '\\u0069', '"id"', '"ABCD"', '{"id":"AAAA"}', 'null', '1', '""'],
  ...['\n', '\r\n', ' ', '\ufeff', '\u00a0', '"__proto__"', '"jobs":', '"job":', '[{', '}]', '{}', '"x":"}"'],
];

const importNdjson = importTarget({
  format: 'ndjson',
  seeds: [
    '{"id":"ABC123","x":[1,{"y":"\\""}]}\n\n {"id":"DEF456"}\r\n{"id":5}\nno\n"ABCD"\n{"id":null}',
    '\ufeff{"id":"AAAA"}',
  ],
  words: jsonWords,
  judge: (text) =>
    text.split('\n').flatMap((line, index) => {
      if (/^\s*$/.test(line)) return [];
      const value = parseJson(line);
      return [isObject(value) ? `${index + 1} ${JSON.stringify(value)}` : `${index + 1} error`];
    }),
});

const importJson = importTarget({
  format: 'json',
  seeds: [
    '[{"id":"ABC123","x":"}]"},\n"DEF456"]',
    ' {"jobs": {"job": [\n{"id": "ABCD"}, {"id": 1}\n]}}\n',
    '[]',
  ],
  words: jsonWords,
  judge: (text, lines) => {
    const value = parseJson(text);
    const jobs = onlyMember(value, 'jobs');
    const list: unknown = Array.isArray(value) ? value : onlyMember(jobs, 'job');
    const isRefused = lines.some((line) => line.endsWith('error'));
    if (!Array.isArray(list) || !list.every((job) => isObject(job) || typeof job === 'string'))
      return isRefused ? lines : ['error'];
    // The names around the list may be repeated, or have escapes: such a file is refused.
    if (!Array.isArray(value) && lines.length === 1 && isRefused) return lines;
    const places = lines.map((line) => line.split(' ', 1)[0] ?? '');
    return list.map((job: unknown, index) =>
      [places[index], JSON.stringify(isObject(job) ? job : { id: job })].join(' '),
    );
  },
});

const importCsv = importTarget({
  format: 'csv',
  seeds: [
    'id,title\nABC123,"a ""b"", c"\r\nDEF456,\n\nGHI789\n',
    'title; id\n"x\ny";ABC123\n',
    '\ufeff"id"\r\n"AB"\r\n',
    'id,id\nA,B',
  ],
  words: [
    ...[
      '"',
      '""',
      '"""',
      ',',
      ';',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      'id',
      'ABCD',
      '"a\nb"',
      '\ufeff',
      '__proto__',
      '\u00a0',
    ],
    ...['id,', ',id', 'x,y', '\n\n', '",', ',"', '"\r\n', "'", '\\', '\0'],
  ],
  judge: judgeCsv,
});

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

const importXml = importTarget({
  format: 'xml',
  seeds: [
    `${xmlDeclaration}\n<jobs>\n<job><id>ABC123</id><t a="1">x &amp; y</t></job>\n<job><id><![CDATA[DEF456]]></id></job>\n</jobs>\n`,
    '<!-- <job> --><jobs a="b"><job/><!-- c --><job ><id> A&#66;CD </id><x><job><id>NO</id></job></x></job></jobs>',
  ],
  words: [
    ...[
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      '&lt;',
      '&#65;',
      '&#0;',
      '&nbsp;',
      '"',
      "'",
      '=',
    ],
    ...[
      '<job>',
      '</job>',
      '<id>',
      '</id>',
      '<job><id>BBBB</id></job>',
      '<jobs>',
      '</jobs>',
      '<job/>',
      '<id/>',
      '<x>',
      '</x>',
    ],
    ...[
      ' a="1"',
      ' a=">"',
      " b='/>'",
      ' ',
      '\n',
      '<!DOCTYPE jobs>',
      '<jobb>',
      '--',
      ']]',
      '\0',
      '\u00a0',
      '1.1',
    ],
  ],
  judge: (text, lines) => {
    const root = parseReferenceXml(text);
    // fast-xml-parser accepts some documents that are not well-formed. The reader ignores processing instructions.
    if (root === undefined) return lines;
    const isRefused = lines.some((line) => line.endsWith('error'));
    if (root.name !== 'jobs' || !holdsJobsOnly(root)) return isRefused ? lines : ['error'];
    const jobs = elementsOf(root);
    const ids = jobs.map((job) => elementsOf(job).filter(({ name }) => name === 'id'));
    const isPlain = ids
      .flat()
      .every(({ children }) => children.every((child) => typeof child === 'object' && 'text' in child));
    if (!isPlain || ids.some((each) => each.length !== 1)) return lines;
    const places = lines.map((line) => line.split(' ', 1)[0] ?? '');
    return ids.map(
      ([id], index) => `${places[index] ?? ''} ${JSON.stringify({ id: id && textOf(id).trim() })}`,
    );
  },
});

export const importTargets = [importNdjson, importJson, importCsv, importXml];

interface ImportFormat extends Pick<Target, 'seeds' | 'words'> {
  readonly format: 'ndjson' | 'json' | 'csv' | 'xml';
  /** Returns the lines of the right outcome, or the reader's own. @param text the file without a byte-order mark */
  readonly judge: (text: string, lines: readonly string[]) => readonly string[];
}

/** A line of the outcome is the place of a record and the record, or its error. The last one may be the error of the file. */
function importTarget({ format, seeds, words, judge }: ImportFormat): Target {
  const shown = (fields: object) =>
    JSON.stringify(format === 'xml' ? { id: (fields as { id?: unknown }).id } : fields);
  const read = async (chunks: readonly Buffer[]) => {
    const lines: string[] = [];
    try {
      for await (const record of readers[format](from(chunks)))
        lines.push(`${record.line} ${'error' in record ? 'error' : shown(record.record)}`);
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      lines.push('error');
    }
    return lines.join('\n');
  };
  return {
    name: `import-${format}`,
    seeds,
    words,
    run: async (input) => {
      const outcome = await read([input]);
      const sum = input.reduce((total, byte) => total + byte, 0);
      // Another cut at each input, and none at half of them.
      if (sum % 2 === 0) return outcome;
      const middle = sum % (input.length + 1);
      const inParts = await read([input.subarray(0, middle), input.subarray(middle)]);
      if (inParts !== outcome) throw new Error(`cut at ${middle}, it is ${inParts}, and whole ${outcome}`);
      return outcome;
    },
    judge: (input, outcome) => {
      const text = decodeUtf8(input)?.replace(/^\ufeff/, '');
      if (text === undefined) return outcome.endsWith('error') ? outcome : 'error';
      return judge(text, outcome === '' ? [] : outcome.split('\n')).join('\n');
    },
  };
}

async function* from(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

function onlyMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.keys(value).join() === name ? value[name] : undefined;
}

function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child === 'object' && 'name' in child);
}

function holdsJobsOnly(root: XmlElement): boolean {
  return textOf(root) === '' && elementsOf(root).every(({ name }) => name === 'job');
}

/** RFC 4180, with semicolons where the header has no comma. */
function judgeCsv(text: string, own: readonly string[]): readonly string[] {
  // csv-parse takes NUL after a quoted field for the end of the file. No id has it.
  if (text.includes('\0')) return own;
  const { rows, isBroken } = parseCsv(text, /^\s*[^\n,]*;[^\n,]*(?:\n|$)/.test(text) ? ';' : ',');
  const [header, ...records] = rows.filter(({ fields }) => fields.join() !== '' || fields.length > 1);
  const names = header?.fields.map((name) => name.trim()) ?? [];
  if (!names.includes('id') || new Set(names).size < names.length) return ['error'];
  const lines = records.map(({ line, fields }) =>
    fields.length === names.length
      ? `${line} ${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, fields[index]])))}`
      : `${line} error`,
  );
  return isBroken ? [...lines, 'error'] : lines;
}

interface CsvRow {
  readonly line: number;
  readonly fields: string[];
}

function parseCsv(text: string, delimiter: string): { readonly rows: CsvRow[]; readonly isBroken: boolean } {
  const rows: CsvRow[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}\\n]*?))(${delimiter}|\\r?\\n|$)`, 'y');
  let line = 1;
  let fields: string[] = [];
  for (let start = 0; field.lastIndex < text.length || fields.length > 0;) {
    const match = field.exec(text);
    if (match === null) return { rows, isBroken: true };
    const [, quoted, plain, end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === delimiter) continue;
    rows.push({ line, fields });
    fields = [];
    const next = match.index + match[0].length;
    line += text.slice(start, next).split('\n').length - 1;
    start = next;
  }
  return { rows, isBroken: false };
}
