// Each browser's text also has the names of the browsers that it imitates, so the order matters.
const browsers = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Firefox', /(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** Returns a text such as `Firefox, Linux`. Undefined for a browser that is not recognized. */
export function describeBrowser(userAgent = ''): string | undefined {
  const found = [browsers, systems].map((kinds) => kinds.find(([, pattern]) => pattern.test(userAgent))?.[0]);
  const text = found.filter((name) => name !== undefined).join(', ');
  return text === '' ? undefined : text;
}

/** Returns a short name such as `shop/1.0` or `Firefox, Linux`. */
export function nameClient(userAgent: string): string {
  const browser = userAgent.startsWith('Mozilla/') ? describeBrowser(userAgent) : undefined;
  return browser ?? userAgent.split(' ')[0] ?? '';
}
