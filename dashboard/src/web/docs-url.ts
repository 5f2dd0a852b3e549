import type { DomainUse } from '@jobs-delete/accounts/accounts';
import { exampleOrigin, parseAllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import type { Language } from './language.ts';

interface DocsOptions {
  readonly apiUrl: string;
  readonly language: Language;
  /** An origin of the account. */
  readonly origin?: string | undefined;
}

/** Returns the documentation of the API for callers, filled in with the origin. */
export function docsUrl({ apiUrl, language, origin }: DocsOptions): string {
  return `${apiUrl}/docs/${language}${origin === undefined ? '' : `?origin=${encodeURIComponent(origin)}`}`;
}

/** Returns an origin for each domain: the one that was used last first, and wildcards last, because their host is made up. */
export function originsOf(uses: readonly DomainUse[]): readonly string[] {
  const domains = uses.flatMap(({ domain, lastUsedAtMs = 0 }) => {
    const parsed = parseAllowedDomain(domain);
    if (parsed === undefined) return [];
    return [{ origin: exampleOrigin(parsed), usedAtMs: parsed.kind === 'wildcard' ? -1 : lastUsedAtMs }];
  });
  return domains.toSorted((one, other) => other.usedAtMs - one.usedAtMs).map(({ origin }) => origin);
}
