import { SaxesParser } from 'saxes';
import { printable } from '../printable.ts';
import { ImportError, maxDepth, maxRecordBytes, recordTooLarge } from './import-record.ts';
import { utf8Chunks, type ByteChunks } from './utf8-chunks.ts';

export interface XmlRecord {
  readonly line: number;
  readonly lastLine: number;
  /** From `<job` to the end of `</job>`: well-formed, with no entities but the predefined ones. */
  readonly source: string;
}

/**
 * Finds the `<job>` elements of a `<jobs>` document and checks all of it for being well-formed and without a DTD.
 * @throws ImportError, after all records before the spot
 */
export async function* scanXml(input: ByteChunks): AsyncGenerator<XmlRecord> {
  const scanner = createScanner();
  for await (const chunk of utf8Chunks(input)) {
    const { records, error } = scanner.write(chunk.toString());
    yield* records;
    if (error !== undefined) throw error;
  }
  const { error } = scanner.close();
  if (error !== undefined) throw error;
}

const textOutsideRoot = 'there is text outside the root element <jobs>';
const textBetweenJobs = '<jobs> must hold <job> elements only, not text';

interface Scanned {
  readonly records: readonly XmlRecord[];
  readonly error: Error | undefined;
}

function createScanner() {
  const parser = new SaxesParser();
  let records: XmlRecord[] = [];
  /** The text from this position on: that of the job, tag, text or comment which is not complete. */
  let text = '';
  let textPosition = 0;
  let depth = 0;
  let job: { readonly position: number; readonly line: number } | undefined;
  /** Where the tag, text or comment that the parser is in has begun. */
  let marked = { position: 0, line: 1 };

  const requireRoom = () => {
    if (job && parser.position - job.position > maxRecordBytes) throw recordTooLarge(job.line);
    if (parser.position - marked.position > maxRecordBytes)
      throw new ImportError(marked.line, 'what begins here is larger than 1 MiB');
  };
  const mark = () => {
    requireRoom();
    marked = { position: parser.position, line: parser.line };
  };

  const onOpen = (name: string) => {
    const position = textPosition + text.lastIndexOf('<', parser.position - textPosition - 1);
    const tag = text.slice(position - textPosition, parser.position - textPosition);
    const line = parser.line - (/[\r\n]/.test(tag) ? 1 : 0);
    depth += 1;
    const shown = printable(name, 100);
    if (depth === 1 && name !== 'jobs')
      throw new ImportError(line, `the root element must be <jobs>, not <${shown}>`);
    if (depth === 2 && name !== 'job')
      throw new ImportError(line, `<jobs> must hold <job> elements only, not <${shown}>`);
    if (depth === 2) job = { position, line };
    if (depth > maxDepth) throw new ImportError(line, `elements are nested deeper than ${maxDepth} levels`);
  };
  const onClose = () => {
    depth -= 1;
    if (depth !== 1 || job === undefined) return;
    const source = text.slice(job.position - textPosition, parser.position - textPosition);
    records.push({ line: job.line, lastLine: parser.line, source });
    job = undefined;
  };
  /** The line of what stands first, but for white space, in what begins at the mark. */
  const lineAfterSpace = () => {
    const [space = ''] = /^\s*/.exec(text.slice(marked.position - textPosition)) ?? [];
    return marked.line + (space.match(/\r\n|\r|\n/g)?.length ?? 0);
  };
  const onText = (content: string) => {
    if (depth > 1 || content.trim() === '') return;
    throw new ImportError(lineAfterSpace(), depth === 0 ? textOutsideRoot : textBetweenJobs);
  };

  parser.on('opentagstart', ({ name }) => {
    mark();
    onOpen(name);
  });
  parser.on('opentag', mark);
  parser.on('closetag', () => {
    mark();
    onClose();
  });
  parser.on('text', (content) => {
    onText(content);
    mark();
  });
  parser.on('cdata', (content) => {
    onText(content);
    mark();
  });
  parser.on('comment', mark);
  parser.on('processinginstruction', mark);
  parser.on('xmldecl', ({ encoding, version }) => {
    mark();
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      throw new ImportError(1, `the encoding must be UTF-8, not '${printable(encoding, 100)}'`);
    if (version !== '1.0') throw new ImportError(1, 'the XML version must be 1.0');
  });
  parser.on('doctype', () => {
    throw new ImportError(lineAfterSpace(), 'a DOCTYPE is not allowed');
  });
  parser.on('error', ({ message }) => {
    if (message.includes('outside of root')) throw new ImportError(lineAfterSpace(), textOutsideRoot);
    throw new ImportError(parser.line, `the XML is not well-formed (${explainable(message)})`);
  });

  const forgetText = () => {
    // One earlier: an event for text comes when the `<` after it has been read.
    const needed = (job?.position ?? Math.max(marked.position - 1, 0)) - textPosition;
    text = text.slice(needed);
    textPosition += needed;
  };

  const scan = (step: () => void): Scanned => {
    let error: Error | undefined;
    try {
      step();
      requireRoom();
    } catch (thrown) {
      error = thrown as Error;
    }
    const found = records;
    records = [];
    return { records: found, error };
  };

  return {
    write: (chunk: string) =>
      scan(() => {
        forgetText();
        text += chunk;
        parser.write(chunk);
      }),
    close: () => scan(() => parser.close()),
  };
}

/** Without the position in front, and the full stop. */
function explainable(message: string): string {
  return printable(message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''), 200);
}
