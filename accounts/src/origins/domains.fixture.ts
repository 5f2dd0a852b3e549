import { parseAllowedDomain, type AllowedDomain } from './allowed-domain.ts';

export function domainsOf(texts: readonly string[]): AllowedDomain[] {
  return texts.map((text) => {
    const domain = parseAllowedDomain(text);
    if (domain === undefined) throw new Error(`${text} is no allowed domain`);
    return domain;
  });
}
