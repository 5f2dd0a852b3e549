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
  const append = (part: string) => {
    if (content !== undefined) content += part;
  };
  const parser = new FirstErrorParser({ xmlns: false, position: false });
  // Without a DOCTYPE there are no entities to expand.
  parser.on('doctype', () => parser.fail());
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('opentag', ({ name }) => {
    open.push(name.slice(name.lastIndexOf(':') + 1).toLowerCase());
    content = '';
  });
  parser.on('closetag', () => {
    const [name = '', parent] = [open.pop(), open.at(-1)];
    if (content !== undefined && names.includes(name)) {
      const same = found.get(name) ?? { parent, ids: [] };
      if (same.parent === parent) same.ids.push(content.trim());
      found.set(name, same);
    }
    content = undefined;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  return names.map((name) => found.get(name)?.ids).find((ids) => ids !== undefined);
}

class Refused extends Error {
  override readonly name = 'Refused';
}

/** SaxesParser would report the error and continue. */
class FirstErrorParser extends SaxesParser {
  override fail(): never {
    throw new Refused();
  }
}
