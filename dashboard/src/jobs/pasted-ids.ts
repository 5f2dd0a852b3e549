import { isJobId } from '@jobs-delete/proto/ids';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { readXmlIds } from './xml-ids.ts';

/** The limit of the API. */
export const maxJobs = 10_000;

export interface PastedIds {
  /** Distinct and valid, in the order of the text. */
  readonly ids: readonly string[];
  /** The distinct words that are no job ids. */
  readonly wrong: readonly string[];
  /** The ids that come again, once for each repetition. Undefined: none. */
  readonly repeated?: readonly string[];
  /**
   * The whole can't be read: a file that is neither text nor a workbook, XML that is malformed or has no ids, or a sheet with
   * several columns, none of which has a title for ids.
   */
  readonly problem?: 'binary' | 'xml' | 'untitled';
}

/** Columns and elements with ids, by precedence, in lower case. Columns are compared without spaces, hyphens and underscores. */
export const idNames = ['id', 'job_id', 'jobid', 'referencenumber', 'reference', 'requisitionid', 'guid'];

/**
 * Reads ids that somebody has pasted: one a line, or with commas, semicolons, spaces, quotes or brackets between them. In a
 * table with a column of `idNames`, in CSV or copied from a spreadsheet, only this column counts. In XML, only such elements
 * count (`readXmlIds`). Takes the bodies of the API too.
 */
export function readPastedIds(text: string): PastedIds {
  if (/[^\P{Cc}\t\n\v\f\r]/u.test(text)) return { ids: [], wrong: [], problem: 'binary' };
  const isXml = text.trimStart().startsWith('<');
  const xml = isXml ? readXmlIds(text.trimStart(), idNames) : undefined;
  if (isXml && xml === undefined) return { ids: [], wrong: [], problem: 'xml' };
  return sortWords(xml ?? idsOfBody(text) ?? columnOf(text) ?? splitWords(text));
}

/** Separates ids, repeated ids and other words. Ignores empty ones. */
export function sortWords(words: Iterable<string>): PastedIds {
  const all = [...words].filter((word) => word !== '');
  const ids = new Set<string>();
  const repeated: string[] = [];
  for (const id of all.filter(isJobId))
    if (ids.has(id)) repeated.push(id);
    else ids.add(id);
  const wrong = [...new Set(all.filter((word) => !isJobId(word)))];
  return { ids: [...ids], wrong, ...(repeated.length > 0 && { repeated }) };
}

/** Returns the number of the line that has a word; undefined if it is on none as it is. */
export function lineOf(word: string, lines: readonly string[]): number | undefined {
  const whole = lines.findIndex((line) => splitWords(line).includes(word));
  const index = whole === -1 ? lines.findIndex((line) => line.includes(word)) : whole;
  return index === -1 ? undefined : index + 1;
}

export function splitWords(text: string): readonly string[] {
  return text.split(/[\s,;"'[\]]+/);
}

/** Returns which column of a table has the ids, by the titles of the columns. */
export function findIdColumn(titles: Iterable<readonly [column: number, title: string]>): number | undefined {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/[ _-]/g, '');
  const columns = new Map(Array.from(titles, ([column, title]) => [plain(title), column] as const).reverse());
  const title = idNames.map(plain).find((name) => columns.has(name));
  return title === undefined ? undefined : columns.get(title);
}

const jsonBody = z.object({ jobs: z.object({ job: z.array(z.object({ id: z.string() })) }) });

/** Returns undefined for a text that is no body of the API in JSON. */
function idsOfBody(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return jsonBody.parse(JSON.parse(text)).jobs.job.map(({ id }) => id);
  } catch {
    return undefined;
  }
}

/** Returns undefined for a text that is no table with a column of ids. */
function columnOf(text: string): readonly string[] | undefined {
  const [titles = [], ...rows] = readTable(text);
  const column = findIdColumn(titles.entries());
  return column === undefined ? undefined : rows.map((row) => (row[column] ?? '').trim());
}

/** A column of a table none of whose columns has a title for ids. */
export interface UntitledColumn {
  readonly index: number;
  /** Empty if the first cell is an id with a digit. */
  readonly title: string;
  readonly cells: readonly string[];
}

/** Returns the columns with texts; none for a text that is no such table, or whose first line has ids only. */
export function untitledColumns(text: string): readonly UntitledColumn[] {
  const rows = /^\s*[{<]/.test(text) ? [] : readTable(text);
  const [titles = [], ...others] = rows;
  const isTable = others.length > 0 && others.every(({ length }) => length === titles.length);
  if (!isTable || findIdColumn(titles.entries()) !== undefined) return [];
  const columns = titles.map((first, index) => {
    const title = looksLikeId(first.trim()) ? '' : first.trim();
    const cells = (title === '' ? rows : others).map((row) => (row[index] ?? '').trim());
    return { index, title, cells };
  });
  const filled = columns.filter(({ title, cells }) => title !== '' || cells.some((cell) => cell !== ''));
  return filled.length > 1 && filled.some(({ title }) => title !== '') ? filled : [];
}

/**
 * Returns whether lines of ids would look like these columns too: the first line, or every column, has an id with a digit. True for no
 * columns: then the text is no table.
 */
export function mayBeList(columns: readonly UntitledColumn[]): boolean {
  const hasId = ({ cells }: UntitledColumn) => cells.some(looksLikeId);
  return columns.some(({ title }) => title === '') || columns.every(hasId);
}

/** Words of a title can be ids too, but few have a digit. */
function looksLikeId(cell: string): boolean {
  return isJobId(cell) && /\d/.test(cell);
}

/** Returns no rows for a text that is no CSV. */
function readTable(text: string): readonly (readonly string[])[] {
  // A tab at the start is an empty first cell.
  const table = text.replace(/^\ufeff/, '').replace(/^\s*\n/, '');
  const [head = ''] = table.split('\n', 1);
  const delimiter = [';', '\t', ','].find((mark) => head.includes(mark)) ?? ',';
  try {
    return parse(table, { delimiter, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true });
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}
