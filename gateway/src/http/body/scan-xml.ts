import { SaxesParser, type XMLDecl } from 'saxes';
import type { DetailCode } from '../../messages/messages.ts';

export interface XmlVisitor {
  open(name: string): void;
  close(): void;
  /** Character data, references replaced, or a CDATA section; what stands together may come in parts. */
  text(text: string): void;
  comment(): void;
}

/**
 * Reads a well-formed XML 1.0 document in UTF-8, and stops at the first thing that is none, or that we don't
 * take: a DOCTYPE, so that there are no entities to expand and nothing to fetch, and processing instructions.
 * The visitor has then seen the part before it. A byte-order mark is left to the parser, which skips one.
 */
export function scanXml(text: string, maxDepth: number, visitor: XmlVisitor): DetailCode | undefined {
  try {
    createParser(maxDepth, visitor).write(text).close();
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error.detail;
    throw error;
  }
}

class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly detail: DetailCode;

  constructor(detail: DetailCode) {
    super(detail);
    this.detail = detail;
  }
}

/** SaxesParser reports an error and reads on. */
class FirstErrorParser extends SaxesParser {
  override fail(): never {
    throw new Stopped('xml_syntax');
  }
}

/**
 * Namespaces are left alone: a prefixed name is a name like another, that no reader of ours looks for.
 *
 * With more than seven handlers set, V8 keeps the parser's properties in a hash table and reading takes six
 * times as long (`%HasFastProperties`), which is why 'error' and 'xmldecl' have none.
 */
function createParser(maxDepth: number, visitor: XmlVisitor): SaxesParser {
  const parser = new FirstErrorParser({ xmlns: false, position: false });
  let depth = 0;

  const refuse = () => {
    throw new Stopped('xml_construct_refused');
  };
  parser.on('doctype', refuse);
  parser.on('processinginstruction', refuse);
  parser.on('opentag', ({ name }) => {
    if (depth === 0) checkDeclaration(parser.xmlDecl);
    if (++depth > maxDepth) throw new Stopped('body_too_deep');
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
  if (version !== '1.0' || encoding.toLowerCase() !== 'utf-8') throw new Stopped('xml_encoding');
}
