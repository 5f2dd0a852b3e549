import { XMLParser } from 'fast-xml-parser';
import { checkedBytes, ImportError, type ImportRecord } from './import-record.ts';
import { scanXml } from './scan-xml.ts';
import type { ByteChunks } from './utf8-chunks.ts';

/** `<jobs><job><id>…</id>…</job>…</jobs>`: a job is parsed when it is complete, by itself. */
export async function* readXml(input: ByteChunks): AsyncGenerator<ImportRecord> {
  for await (const { line, lastLine, source } of scanXml(input)) {
    const bytes = checkedBytes(line, source);
    yield { line, lastLine, record: parseRecord(line, source), bytes };
  }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@_',
  parseTagValue: false,
  parseAttributeValue: false,
  ignorePiTags: true,
  entityDecoder: {
    decode: decodeReferences,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    setXmlVersion: () => undefined,
    reset: () => undefined,
  },
});

function parseRecord(line: number, source: string): Record<string, unknown> {
  const job = parsed(line, source);
  if (job === '') return {};
  if (typeof job !== 'object' || job === null) throw new ImportError(line, 'the <job> holds no elements');
  const { id, ...others } = job as Record<string, unknown>;
  if (Array.isArray(id)) throw new ImportError(line, `the <job> has ${id.length} <id> elements`);
  return { ...others, id: textOf(id) };
}

function parsed(line: number, source: string): unknown {
  try {
    return (parser.parse(source) as { job: unknown }).job;
  } catch (error) {
    // What is left for it to refuse after scanXml: names such as __proto__.
    throw new ImportError(line, `the record cannot be read (${(error as Error).message})`);
  }
}

/** The text alone of an element that has attributes too; trimmed also where it is CDATA. */
function textOf(value: unknown): unknown {
  const text =
    typeof value === 'object' && value !== null ? (value as { '#text'?: unknown })['#text'] : value;
  return typeof text === 'string' ? text.trim() : value;
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The predefined entities and character references: scanXml has refused every other, and what is no character. */
function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#x([0-9A-Fa-f]+)|#(\d+)|(\w+));/g,
    (reference, hex?: string, decimal?: string, name = '') => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return predefined[name as string] ?? reference;
    },
  );
}
