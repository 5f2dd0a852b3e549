import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { printable } from '../report.ts';
import { ImportError, maxDepth } from './import-record.ts';

type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@_',
  // It would trim each part of a text by itself: `<![CDATA[AB]]> CD` would become ABCD, the id of another job.
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: maxDepth,
  entityDecoder: {
    decode: decodeReferences,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    setXmlVersion: () => undefined,
    reset: () => undefined,
  },
});

/** Parses one `<job>` element, which begins on this line. Returns the text of its `<idElement>` as `id`. */
export function parseJob(line: number, source: string, idElement: string): Element {
  const job = trimmed(parseXml(line, source.replace(processingInstructions, '$1'), source).job);
  if (job === '') return {};
  if (typeof job !== 'object' || job === null) throw new ImportError(line, 'the <job> has no child elements');
  const { [idElement]: id, ...others } = job as Element;
  if (Array.isArray(id)) throw new ImportError(line, `the <job> has ${id.length} <${idElement}> elements`);
  return { ...others, id: textOf(id) };
}

/** Returns a value with all texts trimmed, and without white space between elements. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, child]) => [name, trimmed(child)] as const);
  return Object.fromEntries(members.filter(([name, child]) => name !== '#text' || child !== ''));
}

/** Checks the XML declaration, which may be empty, and the root element's opening tag. */
export function checkRoot(line: number, declaration: string, tag: string, name: string): void {
  const root = tag.endsWith('/>') ? tag : `${tag}</${name}>`;
  parseXml(line, root);
  if (declaration === '') return;
  const parts = declarationPattern.exec(declaration)?.groups;
  if (parts === undefined) throw notWellFormed(1, 'the XML declaration');
  const { version, encoding = 'UTF-8' } = parts;
  if (version !== '1.0') throw new ImportError(1, 'the XML version must be 1.0');
  if (!/^utf-?8$/i.test(encoding))
    throw new ImportError(1, `the encoding must be UTF-8, not '${printable(encoding, 100)}'`);
}

/** XML 1.0, 2.8. fast-xml-parser also accepts other text in it. */
const declarationPattern =
  /^<\?xml\s+version\s*=\s*(["'])(?<version>[\w.:-]+)\1(?:\s+encoding\s*=\s*(["'])(?<encoding>[\w.-]+)\3)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\5)?\s*\?>$/;

/** fast-xml-parser misreads an apostrophe inside a processing instruction. */
const processingInstructions = /(<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>)|<\?[^]*?\?>/g;

/** @param original the source with the lines of the file */
function parseXml(line: number, source: string, original = source): Element {
  const ampersand = bareAmpersand(original);
  if (ampersand !== undefined) throw notWellFormed(line + ampersand.line, ampersand.reason);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor adds four packages
  const checked = XMLValidator.validate(original);
  if (checked !== true) throw notWellFormed(line + checked.err.line - 1, checked.err.msg);
  if (disallowedCharacter.test(original)) throw notWellFormed(line, 'disallowed character');
  try {
    return parser.parse(source) as Element;
  } catch (error) {
    const { message } = error as Error;
    if (message === 'Maximum nested tags exceeded')
      throw new ImportError(line, `the record is nested deeper than ${maxDepth} levels`);
    throw notWellFormed(line, message);
  }
}

/** Returns the first `&` that begins no reference, with its line counted from 0. */
function bareAmpersand(source: string): { readonly line: number; readonly reason: string } | undefined {
  const bare = /(<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>)|&(?!#?\w+;)\w{0,20}/g;
  for (const { 0: text, 1: section, index } of source.matchAll(bare)) {
    if (section !== undefined) continue;
    const line = source.slice(0, index).split('\n').length - 1;
    return { line, reason: `unescaped & in '${text}': write &amp;` };
  }
  return undefined;
}

// eslint-disable-next-line no-control-regex -- XML allows no other characters (XML 1.0, 2.2)
const disallowedCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\uD800-\uDFFF\uFFFE\uFFFF]/u;

function notWellFormed(line: number, reason: string): ImportError {
  // Positions in the reason count from the start of the record.
  const shown = printable(reason.replace(/ \(opened in line .*?\)/, '').replace(/\.$/, ''), 200);
  return new ImportError(line, `the XML is not well-formed (${shown})`);
}

/** Returns the text of an element that may have attributes or CDATA. */
function textOf(value: unknown): unknown {
  const text = typeof value === 'object' && value !== null ? (value as Element)['#text'] : value;
  return typeof text === 'string' ? text : value;
}

const predefined = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Decodes the predefined entities and character references. @throws Error for every other `&` */
function decodeReferences(text: string): string {
  return text.replace(/&(#?\w*);?/g, (reference, name: string) => {
    const decoded = reference.endsWith(';') ? (predefined.get(name) ?? characterOf(name)) : undefined;
    if (decoded === undefined) throw new Error(`undefined entity ${reference}`);
    return decoded;
  });
}

function characterOf(name: string): string | undefined {
  if (!/^#(?:x[\dA-Fa-f]+|\d+)$/.test(name)) return undefined;
  const code = Number(`0${name.slice(1)}`);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
  return disallowedCharacter.test(character) ? undefined : character;
}
