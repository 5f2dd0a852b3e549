import { checkedBytes, ImportError, parseJsonObject, recordAt, type ImportRecord } from './import-record.ts';
import { TextCursor, utf8Text, type ByteChunks } from './utf8-text.ts';

/** Reads an array of objects or ids, or `{"jobs": {"job": [ … ]}}`. Parses each element separately. */
export async function* readJson(input: ByteChunks): AsyncGenerator<ImportRecord> {
  const cursor = new TextCursor(utf8Text(input));
  const closing = await openList(cursor);
  let expected: 'element or end' | 'comma or end' | 'element' = 'element or end';

  for (;;) {
    const next = await cursor.peek();
    if (next === undefined) throw new ImportError(cursor.line, 'the file ends inside the list of jobs');
    if (next === ']' && expected !== 'element') break;
    if (expected === 'comma or end') {
      if (next !== ',') throw new ImportError(cursor.line, 'there must be a comma between two jobs');
      cursor.take(1);
      expected = 'element';
      continue;
    }
    if (next !== '{' && next !== '"')
      throw new ImportError(cursor.line, 'each job in the list must be an object or an id');
    const line = cursor.line;
    const source = cursor.take(await findElementEnd(cursor));
    const bytes = checkedBytes(line, source);
    yield recordAt({ line, lastLine: cursor.line, bytes }, () =>
      next === '{' ? parseJsonObject(line, source) : { id: parseId(line, source) },
    );
    expected = 'comma or end';
  }
  await expectAll(cursor, closing, 'there must be nothing after the list of jobs');
}

const form = 'the file must hold an array of objects or ids, or {"jobs": {"job": [ … ]}}';

/** Reads up to the first element. Returns the closing tokens. */
async function openList(cursor: TextCursor): Promise<string[]> {
  if ((await cursor.peek()) === '[') {
    cursor.take(1);
    return [']'];
  }
  await expectTokens(cursor, ['{', '"jobs"', ':', '{', '"job"', ':', '['], form);
  return [']', '}', '}'];
}

async function expectAll(cursor: TextCursor, tokens: readonly string[], otherwise: string): Promise<void> {
  await expectTokens(cursor, tokens, otherwise);
  if ((await cursor.peek()) !== undefined) throw new ImportError(cursor.line, otherwise);
}

async function expectTokens(cursor: TextCursor, tokens: readonly string[], otherwise: string): Promise<void> {
  for (const token of tokens) {
    await cursor.peek();
    const { line } = cursor;
    if ((await cursor.ahead(token.length)) !== token) throw new ImportError(line, otherwise);
    cursor.take(token.length);
  }
}

/** @throws ImportError when the source is not a JSON string */
function parseId(line: number, source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new ImportError(line, 'the id is not valid JSON');
  }
}

/** Returns the length of the object or string at the cursor. Ignores brackets in strings. */
async function findElementEnd(cursor: TextCursor): Promise<number> {
  let end = 0;
  let depth = 0;
  let inString = false;
  for (;;) {
    const pattern = inString ? /["\\]/g : /["{}[\]]/g;
    // Awaits only where a chunk ends: a record has many brackets.
    const { at, text } = cursor.search(pattern, end) ?? (await cursor.find(pattern, end, 'record'));
    end = at + (text === '\\' ? 2 : 1);
    if (text === '"') inString = !inString;
    else if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    if (depth === 0 && !inString) return end;
  }
}
