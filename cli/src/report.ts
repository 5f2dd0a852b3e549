import { safeJson } from '@jobs-delete/runtime/text/safe-text';
import type { Io } from './io.ts';

/** Options of every subcommand. */
export interface ReportOptions {
  readonly json?: true;
}

/** Prints the result as text, or with --json as one JSON value. */
export function report(
  io: Io,
  { json }: ReportOptions,
  value: unknown,
  lines: () => readonly string[],
): void {
  if (json) io.stdout.write(`${safeJson(value)}\n`);
  else for (const line of lines()) io.stdout.write(`${line}\n`);
}

/** Returns an aligned table; `nothing` if there are no rows. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  nothing: string,
): string[] {
  return rows.length === 0 ? [nothing] : fieldLines([headings, ...rows]);
}

/** Returns one line for each row, such as a name and a value, with aligned cells. */
export function fieldLines(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  const widths = cells.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats a time as RFC 3339 in UTC. */
export function timeJson(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}

export function timeText(atMs: number | undefined, absent = '-'): string {
  return timeJson(atMs) ?? absent;
}

/** `1 job`, `2,000 jobs`. */
export function counted(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function wholeNumber(count: number): string {
  return count.toLocaleString('en-US');
}

/** Makes untrusted text safe for a terminal: escapes control and invisible characters and truncates long text. */
export function printable(text: string, maxCharacters = 1_000): string {
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\t' ? ' ' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
