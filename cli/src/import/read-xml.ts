import { printable } from '../report.ts';
import { checkedBytes, ImportError, recordAt, type ImportRecord } from './import-record.ts';
import { checkRoot, parseJob } from './parse-xml.ts';
import { TextCursor, utf8Text, type ByteChunks } from './utf8-text.ts';

export interface XmlForm {
  /** For each name of the root, the element of a `<job>` with its id. */
  readonly idElements: ReadonlyMap<string, string>;
  /** Skips other elements beside `<job>`. */
  readonly skipsOthers: boolean;
}

const importForm: XmlForm = { idElements: new Map([['jobs', 'id']]), skipsOthers: false };

/** Reads `<jobs><job><id>…</id>…</job>…</jobs>`: finds each `<job>` element, which fast-xml-parser checks and parses. */
export async function* readXml(input: ByteChunks, form = importForm): AsyncGenerator<ImportRecord> {
  const cursor = new TextCursor(utf8Text(input));
  const { tag, name, idElement } = await readRoot(cursor, form);
  while (!tag.endsWith('/>') && (await hasJob(cursor, name, form))) {
    const { line } = cursor;
    const source = cursor.take(await findElementEnd(cursor, 'job'));
    const bytes = checkedBytes(line, source);
    yield recordAt({ line, lastLine: cursor.line, bytes }, () => parseJob(line, source, idElement));
  }
  if ((await nextMarkup(cursor, textOutside(name))) !== '')
    throw new ImportError(cursor.line, `there must be nothing after the root element <${name}>`);
}

function textOutside(root: string): string {
  return `there is text outside the root element <${root}>`;
}

/** Reads up to the first child of the root. Returns the root's opening tag. */
async function readRoot(cursor: TextCursor, { idElements }: XmlForm) {
  const roots = [...idElements.keys()];
  const wanted = roots.map((root) => `<${root}>`).join(' or ');
  const hasDeclaration = /^<\?xml[\s?]/.test(await cursor.ahead(6));
  const declaration = hasDeclaration ? cursor.take(await findEnd(cursor, '<?', 0)) : '';
  if ((await nextMarkup(cursor, textOutside(roots[0] ?? ''))) === '')
    throw new ImportError(cursor.line, `there is no root element ${wanted}`);
  const { line } = cursor;
  const tag = cursor.take((await findTagEnd(cursor, 'root tag', 1)).end);
  const name = nameIn(tag);
  const idElement = idElements.get(name);
  if (idElement === undefined)
    throw new ImportError(line, `the root element must be ${wanted}, not <${name}>`);
  checkRoot(line, declaration, tag, name);
  return { tag, name, idElement };
}

/** Moves to the next `<job`, or past the end of the root. */
async function hasJob(cursor: TextCursor, root: string, { skipsOthers }: XmlForm): Promise<boolean> {
  const jobsOnly = `<${root}> must hold <job> elements only`;
  for (;;) {
    const markup = await nextMarkup(cursor, `${jobsOnly}, not text`);
    if (/^<job[\s/>]/.test(markup)) return true;
    const { line } = cursor;
    if (markup === '') throw new ImportError(line, `the file ends before </${root}>`);
    if (markup.startsWith('</')) {
      const tag = cursor.take((await findTagEnd(cursor, 'tag', 1)).end);
      if (tag.replace(/\s*>$/, '') === `</${root}`) return false;
      throw new ImportError(line, `${jobsOnly}, not <${nameIn(tag)}>`);
    }
    const name = nameIn(await cursor.ahead(110));
    if (!skipsOthers || !/^[\w:.-]+$/.test(name)) throw new ImportError(line, `${jobsOnly}, not <${name}>`);
    cursor.take(await findElementEnd(cursor, name));
  }
}

function nameIn(tag: string): string {
  return printable(/^<([^\s>]*?)(?:\/?>|\s|$)/.exec(tag)?.[1] ?? '', 100);
}

/** Skips white space, comments and processing instructions. Returns what follows, up to 9 characters. */
async function nextMarkup(cursor: TextCursor, textError: string): Promise<string> {
  for (;;) {
    await cursor.peek();
    const markup = await cursor.ahead(9);
    if (markup.startsWith('<!--') || /^<\?(?!xml[\s?])/.test(markup))
      cursor.take(await findEnd(cursor, markup, 0));
    else if (markup !== '' && (!markup.startsWith('<') || markup === '<![CDATA['))
      throw new ImportError(cursor.line, textError);
    else if (markup.startsWith('<?'))
      throw new ImportError(cursor.line, 'the XML declaration must come first');
    else if (markup.startsWith('<!')) throw new ImportError(cursor.line, 'a DOCTYPE is not allowed');
    else return markup;
  }
}

/** Returns the length of the element at the cursor. fast-xml-parser checks that a `<job>` is one element. */
async function findElementEnd(cursor: TextCursor, name: string): Promise<number> {
  const escaped = name.replaceAll('.', '\\.');
  const markup = new RegExp(`<(?:\\?|!--|!\\[CDATA\\[|!(?=[^]{7})|\\/?${escaped}[\\s/>])`, 'g');
  let end = 0;
  let depth = 0;
  do {
    const { at, text } = await cursor.find(markup, end, 'record');
    if (/^<[!?]/.test(text)) end = await findEnd(cursor, text, at);
    else {
      const tag = await findTagEnd(cursor, 'record', at + 1);
      end = tag.end;
      if (text.startsWith('</')) depth -= 1;
      else if (!tag.selfClosing) depth += 1;
    }
  } while (depth > 0);
  return end;
}

const sections = [
  { kind: 'comment', start: '<!--', end: /-->/g },
  { kind: 'CDATA section', start: '<![CDATA[', end: /\]\]>/g },
  { kind: 'processing instruction', start: '<?', end: /\?>/g },
];

/** Returns the end of the comment, CDATA section or processing instruction whose markup is at `from`. */
async function findEnd(cursor: TextCursor, markup: string, from: number): Promise<number> {
  const section = sections.find(({ start }) => markup.startsWith(start));
  if (section === undefined) throw new ImportError(cursor.line, 'a DOCTYPE is not allowed');
  const { at, text } = await cursor.find(section.end, from + section.start.length, section.kind);
  return at + text.length;
}

async function findTagEnd(cursor: TextCursor, what: string, from: number) {
  for (let next = from; ;) {
    const { at, text } = await cursor.find(/\/?>|["']/g, next, what);
    if (text.endsWith('>')) return { end: at + text.length, selfClosing: text === '/>' };
    next = (await cursor.find(text === '"' ? /"/g : /'/g, at + 1, what)).at + 1;
  }
}
