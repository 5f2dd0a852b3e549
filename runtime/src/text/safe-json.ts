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

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}
