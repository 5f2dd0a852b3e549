import { checkedBytes, type ImportRecord } from './import-record.ts';
import { linesOf } from './read-ndjson.ts';
import type { ByteChunks } from './utf8-chunks.ts';

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
