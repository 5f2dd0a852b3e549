import { SaxesParser } from 'saxes';

/**
 * Reads the ids of a document in XML: the texts of the elements with the first of these names that occurs. Only elements in
 * parents of one name count, so an id of a place in a job is not an id of a job. Ignores case and namespaces. Undefined for a
 * text that is not well-formed, has a DOCTYPE, or has no such element.
 */
export function readXmlIds(text: string, names: readonly string[]): readonly string[] | undefined {
  const found = new Map<string, { readonly parent: string | undefined; readonly ids: string[] }>();
  const open: string[] = [];
  /** The text of the innermost element; undefined after an element in it. */
  let content: string | undefined;
  const parser = createXmlParser({
    open: (name) => {
      open.push(name.toLowerCase());
      content = '';
    },
    close: () => {
      const [name = '', parent] = [open.pop(), open.at(-1)];
      if (content !== undefined && names.includes(name)) {
        const same = found.get(name) ?? { parent, ids: [] };
        if (same.parent === parent) same.ids.push(content.trim());
        found.set(name, same);
      }
      content = undefined;
    },
    text: (part) => {
      if (content !== undefined) content += part;
    },
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  return names.map((name) => found.get(name)?.ids).find((ids) => ids !== undefined);
}

/** The text or file can't be read. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Names have no prefix of a namespace. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** The parser keeps open elements and their attributes in memory. No real file has as many. */
const maxDepth = 100;
const maxAttributes = 100;

/** Returns a parser that throws `Refused` at the first error, for a DOCTYPE, and for too many nested elements or attributes. */
export function createXmlParser({ open, close, text }: XmlHandlers): SaxesParser {
  const parser = new FirstErrorParser({ xmlns: false, position: false });
  let depth = 0;
  let attributeCount = 0;
  // Without a DOCTYPE there are no entities to expand.
  parser.on('doctype', () => parser.fail());
  parser.on('opentagstart', () => {
    attributeCount = 0;
    if ((depth += 1) > maxDepth) parser.fail();
  });
  parser.on('attribute', () => {
    if ((attributeCount += 1) > maxAttributes) parser.fail();
  });
  parser.on('opentag', ({ name, attributes }) => open(localName(name), attributes));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    close?.(localName(name));
  });
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  return parser;
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** SaxesParser would report the error and continue. */
class FirstErrorParser extends SaxesParser {
  override fail(): never {
    throw new Refused();
  }
}
