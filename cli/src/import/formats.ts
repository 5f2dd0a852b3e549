import { wrongUsage } from '../refusal.ts';
import { printable } from '../report.ts';
import {
  checkedBytes,
  maxRecordBytes,
  parseJsonObject,
  recordAt,
  recordTooLarge,
  type ImportRecord,
} from './import-record.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readXml } from './read-xml.ts';
import { utf8Text, type ByteChunks } from './utf8-text.ts';

export const readers = { txt: readText, csv: readCsv, ndjson: readNdjson, json: readJson, xml: readXml };

export type Format = keyof typeof readers;

/** Returns the format for the extension of the file. @throws Refusal if it is not one of `formats` */
export function formatOf<Allowed extends Format>(file: string, formats: readonly Allowed[]): Allowed {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const format = extension === 'jsonl' ? 'ndjson' : extension;
  const found = formats.find((candidate) => candidate === format);
  if (found !== undefined) return found;
  throw wrongUsage(`The format of ${nameOf(file)} is unknown. Set --format to one of ${formats.join(', ')}.`);
}

/** Returns the name of a file for messages; `-` is standard input. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : printable(file);
}

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
async function* readText(input: ByteChunks): AsyncGenerator<ImportRecord> {
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
