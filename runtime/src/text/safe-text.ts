/**
 * Returns JSON without characters that act on a terminal or reorder its text: control characters, C1 included, and
 * bidirectional and other invisible ones are escaped. A reader of JSON gets the same value.
 */
export function safeJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

/** Escapes the same characters in a text that is JSON already. */
export function escapeInvisible(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? character : escapeUnits(character),
  );
}

/** Returns the value of a text from outside; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

/** A spreadsheet runs text that starts so as a formula. Includes the full-width forms of these characters. */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/;

/**
 * Returns one line of a CSV file (RFC 4180) with its line break. A field that a spreadsheet would run as a formula starts
 * with an apostrophe. Every field is in quotes: a spreadsheet may split at other characters than commas.
 */
export function csvLine(fields: readonly (string | number | null | undefined)[]): string {
  return `${fields.map(quote).join(',')}\r\n`;
}

function quote(field: string | number | null | undefined): string {
  // A negative number is no formula.
  if (typeof field === 'number') return `"${String(field)}"`;
  const text = field ?? '';
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
