import { parse } from 'csv-parse';
import { printable } from '../printable.ts';
import { ImportError, maxRecordBytes, recordTooLarge, type ImportRecord } from './import-record.ts';
import { utf8Chunks, type ByteChunks } from './utf8-chunks.ts';

interface Row {
  readonly fields: readonly string[];
  /** Where it ends in the file, its line ending included. */
  readonly endByte: number;
}

/** RFC 4180 with a header that has a column `id`; blank lines are ignored. */
export async function* readCsv(input: ByteChunks): AsyncGenerator<ImportRecord> {
  const lines = createLineCounter();
  let header: readonly string[] | undefined;

  for await (const { fields, endByte } of rowsOf(input, lines)) {
    const place = lines.passTo(endByte);
    if (place.bytes > maxRecordBytes) throw recordTooLarge(place.line);
    if (fields.length === 1 && fields[0] === '') continue;
    if (header === undefined) {
      header = checkedHeader(fields, place.line);
      continue;
    }
    if (fields.length !== header.length) {
      throw new ImportError(
        place.line,
        `the record has ${fields.length} fields where the header has ${header.length}`,
      );
    }
    const record = Object.fromEntries(header.map((name, column) => [name, fields[column]]));
    yield { ...place, record };
  }
  if (header === undefined) throw new ImportError(1, "there is no header with a column 'id'");
}

function checkedHeader(fields: readonly string[], line: number): readonly string[] {
  const names = fields.map((name) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ImportError(line, `the header names the column '${printable(twice, 100)}' twice`);
  if (names.includes('id')) return names;
  const shown = printable(names.join(','), 200);
  throw new ImportError(line, `the header has no column 'id' between commas; it is: ${shown}`);
}

/** The rows that each chunk completes. They are collected, and not streamed, so that an error loses none before it. */
async function* rowsOf(input: ByteChunks, lines: LineCounter): AsyncGenerator<Row> {
  let rows: Row[] = [];
  const parser = parse({
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    on_record: (fields: string[], { bytes }) => {
      rows.push({ fields, endByte: bytes });
      return null;
    },
  });
  // Whoever writes is told of each error too.
  parser.on('error', () => undefined);
  const completed = () => {
    const taken = rows;
    rows = [];
    return taken;
  };

  for await (const chunk of utf8Chunks(input)) {
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

const explanations: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote in the record that begins here is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'in the record that begins here a field goes on after its closing quote',
  INVALID_OPENING_QUOTE:
    'in the record that begins here a quote stands inside a field without quotes around it',
};

function toImportError(error: unknown, line: number): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new ImportError(line, explanations[String(error.code)] ?? 'the record is not valid CSV');
}

type LineCounter = ReturnType<typeof createLineCounter>;

/** Tells lines by byte offsets: the parser counts those inside quotes twice where they end in CR LF. */
function createLineCounter() {
  let line = 1;
  let passedBytes = 0;
  let addedBytes = 0;
  let newlines: number[] = [];
  let passedNewlines = 0;

  return {
    /** Where what has not been passed begins. */
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
