import { parse } from 'csv-parse';
import { printable } from '../report.ts';
import {
  ImportError,
  maxRecordBytes,
  recordAt,
  recordTooLarge,
  type Fields,
  type ImportRecord,
} from './import-record.ts';
import { utf8Text, type ByteChunks } from './utf8-text.ts';

interface Row {
  readonly fields: readonly string[];
  /** The end offset in the file, after the line ending. */
  readonly endByte: number;
}

/**
 * Reads RFC 4180 with a header that has this column. Ignores blank lines. The delimiter is a semicolon, as spreadsheets in
 * many languages write it, if the header has semicolons and no comma.
 */
export async function* readCsv(input: ByteChunks, column = 'id'): AsyncGenerator<ImportRecord> {
  const lines = createLineCounter();
  let header: readonly string[] | undefined;

  for await (const { fields, endByte } of rowsOf(input, lines)) {
    const place = lines.passTo(endByte);
    if (place.bytes > maxRecordBytes) throw recordTooLarge(place.line);
    if (fields.length === 1 && fields[0] === '') continue;
    if (header === undefined) {
      header = checkedHeader(fields, place.line, column);
      continue;
    }
    const names = header;
    yield recordAt(place, () => fieldsOf(names, fields, place.line));
  }
  if (header === undefined) throw new ImportError(1, `there is no header with a column '${column}'`);
}

function fieldsOf(names: readonly string[], values: readonly string[], line: number): Fields {
  if (values.length !== names.length)
    throw new ImportError(line, `the record has ${values.length} fields and the header has ${names.length}`);
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

function checkedHeader(fields: readonly string[], line: number, column: string): readonly string[] {
  const names = fields.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ImportError(line, `the header names the column '${printable(twice, 100)}' twice`);
  if (names.includes(column)) return names;
  const shown = printable(names.join(','), 200);
  throw new ImportError(line, `the header has no column '${column}'; it is: ${shown}`);
}

/** Yields the rows that each chunk completes, all before an error. */
async function* rowsOf(input: ByteChunks, lines: LineCounter): AsyncGenerator<Row> {
  let rows: Row[] = [];
  const texts = utf8Text(input);
  const head = await readHead(texts);
  const header = head.trimStart().split('\n', 1)[0] ?? '';
  const parser = parse({
    delimiter: header.includes(';') && !header.includes(',') ? ';' : ',',
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    on_record: (fields: string[], { bytes }) => {
      rows.push({ fields, endByte: bytes });
      return null;
    },
  });
  // The callback of each write gets the error too.
  parser.on('error', () => undefined);
  const completed = () => {
    const taken = rows;
    rows = [];
    return taken;
  };

  for await (const text of continued(head, texts)) {
    const chunk = Buffer.from(text);
    lines.add(chunk);
    const error = await new Promise<unknown>((resolve) => parser.write(chunk, resolve));
    yield* completed();
    if (error) throw toImportError(error, lines.line());
    if (lines.unpassedBytes() > maxRecordBytes) throw recordTooLarge(lines.line());
  }
  if (lines.unpassedBytes() === 0) return;
  const error = await new Promise<unknown>((resolve) => parser.end(resolve));
  yield* completed();
  if (error) throw toImportError(error, lines.line());
}

/** Reads up to the end of the first line that is not blank. */
async function readHead(texts: AsyncGenerator<string>): Promise<string> {
  let head = '';
  while (head.length <= maxRecordBytes && !head.trimStart().includes('\n')) {
    const next = await texts.next();
    if (next.done === true) break;
    head += next.value;
  }
  return head;
}

async function* continued(head: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  if (head !== '') yield head;
  yield* texts;
}

const explanations: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote in the record that begins here is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'in the record that begins here, text follows a closing quote',
  INVALID_OPENING_QUOTE: 'in the record that begins here, an unquoted field contains a quote',
};

function toImportError(error: unknown, line: number): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new ImportError(line, explanations[String(error.code)] ?? 'the record is not valid CSV');
}

type LineCounter = ReturnType<typeof createLineCounter>;

/** Converts byte offsets to lines. The parser itself counts CR LF inside quotes twice. */
function createLineCounter() {
  let line = 1;
  let passedBytes = 0;
  let addedBytes = 0;
  let newlines: number[] = [];
  let passedNewlines = 0;

  return {
    /** The first line that is not passed. */
    line: () => line,
    unpassedBytes: () => addedBytes - passedBytes,
    add: (chunk: Buffer) => {
      newlines = newlines.slice(passedNewlines);
      passedNewlines = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1))
        newlines.push(addedBytes + at);
      addedBytes += chunk.length;
    },
    passTo: (endByte: number) => {
      const first = line;
      const bytes = endByte - passedBytes;
      let lastNewline = -1;
      for (
        let at = newlines[passedNewlines];
        at !== undefined && at < endByte;
        at = newlines[passedNewlines]
      ) {
        passedNewlines += 1;
        line += 1;
        lastNewline = at;
      }
      passedBytes = endByte;
      return { line: first, lastLine: lastNewline === endByte - 1 ? line - 1 : line, bytes };
    },
  };
}
