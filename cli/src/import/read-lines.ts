import {
  checkedBytes,
  parseJsonObject,
  recordAt,
  recordTooLarge,
  maxRecordBytes,
  type ImportRecord,
} from './import-record.ts';
import { utf8Text, type ByteChunks } from './utf8-text.ts';

/** Reads one object per line. Ignores blank lines. */
export async function* readNdjson(input: ByteChunks): AsyncGenerator<ImportRecord> {
  let count = 0;
  for await (const source of linesOf(input)) {
    count += 1;
    const line = count;
    const bytes = checkedBytes(line, source);
    if (source.trim() === '') continue;
    yield recordAt({ line, lastLine: line, bytes }, () => parseJsonObject(line, source));
  }
}

/** Reads one id per line, without white space around it. Ignores blank lines. */
export async function* readText(input: ByteChunks): AsyncGenerator<ImportRecord> {
  let line = 0;
  for await (const source of linesOf(input)) {
    line += 1;
    const bytes = checkedBytes(line, source);
    const id = source.trim();
    if (id !== '') yield { line, lastLine: line, bytes, record: { id } };
  }
}

/** Yields the lines without their line feed; last the text after the last one. @throws ImportError at a longer line */
async function* linesOf(input: ByteChunks): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  for await (const text of utf8Text(input)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    line += lines.length;
    yield* lines;
    if (rest.length > maxRecordBytes) throw recordTooLarge(line);
  }
  yield rest;
}
