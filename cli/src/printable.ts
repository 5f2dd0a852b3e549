/**
 * Text of anybody's for a terminal: what would move the cursor, colour, hide or reverse is spelt out, and what is
 * too long to read is cut.
 */
export function printable(text: string, maxCharacters = 1_000): string {
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\t' ? ' ' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
