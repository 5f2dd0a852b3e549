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
