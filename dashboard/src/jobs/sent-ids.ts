import { readNumber } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { deleteJobsTexts } from './delete-jobs-texts.ts';
import {
  lineOf,
  maxJobs,
  mayBeList,
  readPastedIds,
  sortWords,
  splitWords,
  untitledColumns,
  type PastedIds,
} from './pasted-ids.ts';

/** 10,000 ids of 128 characters, each with an encoded line break. */
export const maxIdsFormBytes = 1_500_000;

/** The page that shows what a deletion of its ids would do. */
export const idsPath = '/jobs/delete';
/** The fields of a preview that together have all pasted ids. */
export const idFields = ['ids', 'leftOut', 'repeated'];
/** The button that goes on without the malformed ids. */
export const leaveOutField = 'leaveOut';
/** The button that replaces ids by those that the account has: `old=new` for each, with spaces between them. */
export const spellField = 'spell';

/** The button that says which column of a table has the ids: its index. */
export const columnField = 'column';

/** The ids of a form. */
export interface SentIds extends PastedIds {
  readonly text: string;
  readonly leftOut?: readonly string[];
  /** The malformed ids that the person leaves out. */
  readonly malformed?: readonly string[];
  /** The words of the search that has found the ids. */
  readonly foundBy?: string;
  /** The table whose chosen column has the ids. */
  readonly table?: string;
}

export function sentIn(text: string): SentIds {
  return { ...readPastedIds(text), text };
}

/** Reads the form with the ids, or a preview some of whose ids are to be replaced. */
export function readSent(form: URLSearchParams): SentIds {
  const sent = chooseColumn(sentIn(form.getAll('ids').join('\n')), form);
  // The ids of a preview have been read before, and those that it leaves out may be malformed.
  const isPreview = form.has('leftOut') || form.has('count');
  const leavesOut = isPreview || form.has(leaveOutField);
  if (!leavesOut && !form.has(spellField)) return sent;
  const { ids, repeated = [], wrong } = isPreview ? sortWords(splitWords(allIdsOf(form))) : sent;
  const spellings = readSpellings(form);
  const words = [...ids, ...repeated].map((id) => spellings.get(id) ?? id);
  const spelled = { ...sent, ...sortWords(words) };
  if (leavesOut) return { ...spelled, malformed: wrong.map(shorten), text: words.join('\n') };
  return { ...spelled, wrong, text: [...words, ...wrong].join('\n') };
}

function chooseColumn(sent: SentIds, form: URLSearchParams): SentIds {
  const chosen = readNumber(form.get(columnField), { min: 0 });
  if (chosen === undefined) return sent;
  const column = untitledColumns(sent.text).find(({ index }) => index === chosen);
  if (column === undefined) return sent;
  const read = sortWords(column.cells);
  return { ...read, text: asColumn(read), table: sent.text };
}

/** Returns a text that is read as these ids. */
export function asColumn({ ids, repeated = [], wrong }: PastedIds): string {
  // In a table, a malformed cell stays one word.
  const cells = wrong.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  return [...(cells.length > 0 ? ['id'] : []), ...ids, ...repeated, ...cells].join('\n');
}

function readSpellings(form: URLSearchParams): ReadonlyMap<string, string> {
  const pairs = form.get(spellField)?.split(' ') ?? [];
  return new Map(
    pairs.map((pair) => {
      const [id = '', spelling = id] = pair.split('=');
      return [id, spelling];
    }),
  );
}

/** Returns all ids of a preview, also those that it left out. */
export function allIdsOf(form: URLSearchParams): string {
  return idFields.flatMap((name) => splitWords(form.get(name) ?? '')).join('\n');
}

export function readIds(form: URLSearchParams, name: string): PastedIds {
  return sortWords(splitWords(form.get(name) ?? ''));
}

/** Returns why no deletion can have these ids. */
export function problemOf(
  { language }: Pick<MemberVisit, 'language'>,
  { ids, wrong, problem, text = '' }: PastedIds & Partial<SentIds>,
): string | undefined {
  const { problems } = deleteJobsTexts[language];
  if (problem !== undefined) return problems[problem];
  if (wrong.length > 0)
    return mayBeList(untitledColumns(text))
      ? problems.wrong(excerptOf(wrong, text, problems.line), wrong.length)
      : problems.untitled;
  if (ids.length === 0) return problems.empty;
  return ids.length > maxJobs
    ? problems.tooMany(new Intl.NumberFormat(language).format(ids.length))
    : undefined;
}

const maxMalformed = 1_000;
const maxMalformedLength = 65_536;

/** Returns false for more ids or malformed text than a form can send. A sheet without a column of ids may have megabytes. */
export function fitsForm({ ids, wrong }: PastedIds): boolean {
  const isShort = wrong.length <= maxMalformed && wrong.join('').length <= maxMalformedLength;
  return isShort && ids.length <= maxJobs;
}

/** Returns how many malformed ids can be left out: none if nothing would remain, or more than a form can send. */
export function malformedIn(read: PastedIds): number {
  return read.ids.length > 0 && fitsForm(read) ? read.wrong.length : 0;
}

function excerptOf(words: readonly string[], text: string, withLine: (word: string, line: number) => string) {
  const lines = text.split('\n');
  const shown = words.slice(0, 5).map((word) => {
    const line = lineOf(word, lines);
    return line === undefined ? shorten(word) : withLine(shorten(word), line);
  });
  return shown.join(', ') + (words.length > shown.length ? ', …' : '');
}

/** Returns a malformed id as one malformed word. */
function shorten(word: string): string {
  const one = word.replaceAll(/[\s,;"'[\]]+/g, '·');
  return one.length > 40 ? `${one.slice(0, 40)}…` : one;
}
