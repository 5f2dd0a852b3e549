import { exampleOrigin, parseAllowedDomains } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Language } from './language.ts';

interface DocsOptions {
  readonly apiUrl: string;
  readonly language: Language;
  /** The domains of the account. */
  readonly domains?: readonly string[];
}

/** Returns the documentation of the API for callers, filled in with an origin of the account if there is one. */
export function docsUrl({ apiUrl, language, domains = [] }: DocsOptions): string {
  const origin = originOf(domains);
  return `${apiUrl}/docs/${language}${origin === undefined ? '' : `?origin=${encodeURIComponent(origin)}`}`;
}

/** Returns an origin of the first domain. */
export function originOf(domains: readonly string[]): string | undefined {
  const [first] = parseAllowedDomains(domains);
  return first && exampleOrigin(first);
}
