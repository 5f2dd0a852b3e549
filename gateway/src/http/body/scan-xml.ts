import { SaxesParser, type XMLDecl } from 'saxes';
import { type Sentence, sentence } from '../../messages/messages.ts';

export interface XmlVisitor {
  open(name: string): void;
  close(): void;
  /** Called for character data, with references replaced, and for CDATA. One text may arrive in several calls. */
  text(text: string): void;
  comment(): void;
}

/**
 * Scans a well-formed XML 1.0 document. Stops at the first error, DOCTYPE or processing instruction, and returns the
 * reason. Without a DOCTYPE there are no entities to expand and nothing to fetch. The parser skips a byte-order mark.
 */
export function scanXml(text: string, maxDepth: number, visitor: XmlVisitor): Sentence | undefined {
  try {
    createParser(maxDepth, visitor).write(text).close();
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error.reason;
    throw error;
  }
}

class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: Sentence;

  constructor(reason: Sentence) {
    super(reason.code);
    this.reason = reason;
  }
}

/** SaxesParser would report the error and continue. */
class FirstErrorParser extends SaxesParser {
  override fail(): never {
    throw new Stopped(sentence('xml_syntax', { line: this.line, column: this.columnIndex }));
  }
}

/**
 * Ignores namespaces: a prefixed name is an unknown name.
 *
 * Sets at most seven handlers, none for 'error' and 'xmldecl': with more, V8 keeps the parser's properties in a hash
 * table (`%HasFastProperties`), and parsing takes six times as long.
 */
function createParser(maxDepth: number, visitor: XmlVisitor): SaxesParser {
  const parser = new FirstErrorParser({ xmlns: false, position: false });
  let depth = 0;

  const refuse = () => {
    throw new Stopped(sentence('xml_construct_refused'));
  };
  parser.on('doctype', refuse);
  parser.on('processinginstruction', refuse);
  parser.on('opentag', ({ name }) => {
    if (depth === 0) checkDeclaration(parser.xmlDecl);
    if (++depth > maxDepth) throw new Stopped(sentence('body_too_deep', { limit: maxDepth }));
    visitor.open(name);
  });
  parser.on('closetag', () => {
    depth--;
    visitor.close();
  });
  parser.on('text', (text) => visitor.text(text));
  parser.on('cdata', (text) => visitor.text(text));
  parser.on('comment', () => visitor.comment());
  return parser;
}

function checkDeclaration({ version = '1.0', encoding = 'utf-8' }: XMLDecl): void {
  if (version !== '1.0' || encoding.toLowerCase() !== 'utf-8') throw new Stopped(sentence('xml_encoding'));
}
