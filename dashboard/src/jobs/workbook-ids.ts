import { posix } from 'node:path';
import { findIdColumn, maxJobs, sortWords, splitWords, type PastedIds } from './pasted-ids.ts';
import { openWorkbook, type Workbook } from './workbook-part.ts';
import { Refused, createXmlParser, type XmlHandlers } from './xml-ids.ts';

/**
 * Reads the ids of the first visible sheet of a workbook in XLSX, by the rules for tables of `readPastedIds`. Rows that a
 * filter hides don't count. Names no repetitions where a form can't have them all.
 */
export async function readWorkbookIds(archive: Uint8Array): Promise<PastedIds> {
  try {
    const workbook = openWorkbook(archive);
    const { sheet, strings, styles } = await findParts(workbook);
    return await readSheet(workbook, sheet, {
      strings: strings === undefined ? [] : await readStrings(workbook, strings),
      formats: styles === undefined ? [] : await readFormats(workbook, styles),
    });
  } catch (error) {
    if (error instanceof Refused) return { ids: [], wrong: [], problem: 'binary' };
    throw error;
  }
}

/** The limits of the format. */
const maxCellLength = 32_767;
const maxColumns = 16_384;
const maxFormatLength = 255;
/** A longer one is none of `idNames`. */
const maxTitleLength = 50;
/** Distinct texts or words. */
const maxWords = 200_000;

/** @throws Refused for a workbook without the part */
async function parsePart(workbook: Workbook, part: string, handlers: XmlHandlers): Promise<void> {
  if (!(await workbook.parse(part, createXmlParser(handlers)))) throw new Refused();
}

interface Parts {
  readonly sheet: string;
  /** The strings that sheets share. */
  readonly strings: string | undefined;
  readonly styles: string | undefined;
}

async function findParts(workbook: Workbook): Promise<Parts> {
  const visible: (string | undefined)[] = [];
  await parsePart(workbook, 'xl/workbook.xml', {
    open: (name, attributes) => {
      if (name === 'sheet' && (attributes.state ?? 'visible') === 'visible')
        visible.push(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]);
    },
  });
  const sheets = new Map<string | undefined, string>();
  let strings: string | undefined;
  let styles: string | undefined;
  await parsePart(workbook, 'xl/_rels/workbook.xml.rels', {
    open: (_, { Id, Type = '', Target = '' }) => {
      const part = posix.resolve('/xl', Target).slice(1);
      if (Type.endsWith('/worksheet')) sheets.set(Id, part);
      if (Type.endsWith('/sharedStrings')) strings = part;
      if (Type.endsWith('/styles')) styles = part;
    },
  });
  const sheet = visible.map((id) => sheets.get(id)).find((part) => part !== undefined);
  if (sheet === undefined) throw new Refused();
  return { sheet, strings, styles };
}

/** Parses a part with items that have texts: an item ends with all of its texts joined and trimmed. */
function parseItems(
  workbook: Workbook,
  part: string,
  { item, open, close, end }: XmlHandlers & { readonly item: string; readonly end: (text: string) => void },
): Promise<void> {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return parsePart(workbook, part, {
    open: (name, attributes) => {
      if (name === item) text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = !isPhonetic && (name === 't' || name === 'v');
      open(name, attributes);
    },
    close: (name) => {
      if (name === 'rPh') isPhonetic = false;
      isText = false;
      if (name === item) {
        if (text.length > maxCellLength) throw new Refused();
        end(text.trim());
      }
      close?.(name);
    },
    text: (more) => {
      if (isText) text += more;
    },
  });
}

async function readStrings(workbook: Workbook, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  const end = (text: string) => strings.push(text);
  await parseItems(workbook, part, { item: 'si', open: () => undefined, end });
  return strings;
}

/** The formats that show a number as it is. */
const plainFormats = new Map([
  ['0', 'General'],
  ['1', '0'],
  ['49', '@'],
]);

/** Returns the format of numbers of each style: its code, or its number for a format that the file does not define. */
async function readFormats(workbook: Workbook, part: string): Promise<readonly string[]> {
  const codes = new Map(plainFormats);
  const formats: string[] = [];
  let isCells = false;
  await parsePart(workbook, part, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (formatCode.length > maxFormatLength) throw new Refused();
      if (name === 'cellXfs') isCells = true;
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (isCells && name === 'xf') formats.push(codes.get(numFmtId) ?? numFmtId);
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return formats;
}

interface Shared {
  readonly strings: readonly string[];
  readonly formats: readonly string[];
}

async function readSheet(workbook: Workbook, part: string, shared: Shared): Promise<PastedIds> {
  const collector = collectIds();
  let row = new Map<number, string>();
  let isHidden = false;
  let column = -1;
  let cell = { type: '', style: '' };
  await parseItems(workbook, part, {
    item: 'c',
    open: (name, { hidden = '0', r = '', t = 'n', s = '0' }) => {
      if (name === 'row') {
        row = new Map();
        column = -1;
        isHidden = hidden === '1' || hidden === 'true';
      }
      if (name === 'c') {
        column = columnOf(r) ?? column + 1;
        if (column >= maxColumns) throw new Refused();
        cell = { type: t, style: s };
      }
    },
    end: (text) => {
      if (text !== '') row.set(column, textOf(cell, text, shared));
    },
    close: (name) => {
      if (name === 'row' && row.size > 0 && !isHidden) collector.add(row);
    },
  });
  return collector.ids();
}

/** Returns the number of a column in a reference such as `AB12`. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf(
  cell: { readonly type: string; readonly style: string },
  text: string,
  shared: Shared,
): string {
  if (cell.type === 'n') return numberOf(text, shared.formats[Number(cell.style)] ?? 'General');
  if (cell.type !== 's') return text;
  const string = shared.strings[Number(text)];
  if (string === undefined) throw new Refused();
  return string;
}

/** Returns the number as the sheet shows it, or as a word that is no id: what a person does not see must not be an id. */
function numberOf(text: string, format: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Refused();
  // Spreadsheets keep 15 digits. A number with more has lost some.
  const digits = Number.isInteger(value) && Math.abs(value) >= 1e15 ? value.toExponential() : String(value);
  if (format === 'General' || format === '@') return digits;
  return /^0+$/.test(format) ? digits.padStart(format.length, '0') : `${digits} (${format})`;
}

/** Collects the texts of the column of ids, or without its title the words of all cells. */
function collectIds() {
  /** The words that each text adds to `repeatedly` again. */
  const texts = new Map<string, readonly string[]>();
  const words = new Set<string>();
  /** With repetitions. It ends after those that a form can have. */
  const repeatedly: string[] = [];
  let titles: { readonly idColumn: number | undefined; readonly width: number } | undefined;
  const add = (text: string) => {
    if (text === '') return;
    const isFull = repeatedly.length > maxJobs;
    // A sheet may have one shared text in each of its cells.
    const known = texts.get(text);
    if (known !== undefined) {
      if (!isFull) repeatedly.push(...known);
      return;
    }
    const found = titles?.idColumn === undefined ? splitWords(text) : [text];
    for (const word of found) words.add(word);
    texts.set(text, isFull ? [] : found);
    if (!isFull) repeatedly.push(...found);
    if (words.size > maxWords || texts.size > maxWords) throw new Refused();
  };
  return {
    add: (row: ReadonlyMap<number, string>) => {
      const isTitles = titles === undefined;
      const short = [...row].filter(([, title]) => title.length <= maxTitleLength);
      titles ??= { idColumn: findIdColumn(short), width: row.size };
      if (titles.idColumn === undefined) for (const text of row.values()) add(text);
      else if (!isTitles) add(row.get(titles.idColumn) ?? '');
    },
    ids: (): PastedIds => {
      const isUntitled = titles !== undefined && titles.idColumn === undefined && titles.width > 1;
      const read = sortWords(repeatedly.length > maxJobs ? words : repeatedly);
      return isUntitled && read.wrong.length > 0 ? { ids: [], wrong: [], problem: 'untitled' } : read;
    },
  };
}
