/** Makes untrusted text safe for a terminal: escapes control and invisible characters and truncates long text. */
export function printable(text: string, maxCharacters = 1_000): string {
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return shown.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\t' ? ' ' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
