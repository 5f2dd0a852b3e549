/** Returns the text if it is a path of the dashboard, otherwise `/`: a link must not lead people to another site. */
export function safePath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return '/';
  return text;
}
