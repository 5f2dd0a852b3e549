/**
 * Returns the headers of an input with a line `name: value` for each. Node delivers them like this: names in lower case, a
 * list of values for each, without white space around a value, and no control character but tabs.
 */
export function readHeaderLines(input: Buffer): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const line of input.toString('latin1').split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
    // eslint-disable-next-line no-control-regex -- these are what Node refuses
    if (!/^[a-z-]+$/.test(name) || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) continue;
    (headers[name] ??= []).push(value);
  }
  return headers;
}

/** The characters of a token (RFC 9110, 5.6.2). */
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function isToken(text: string): boolean {
  return text !== '' && Array.from(text).every((character) => tokenCharacters.includes(character));
}
