import type { AllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { getPublicSuffix } from 'tldts';

export type Suspicion =
  /** Anybody can register a host below the wildcard's base, by the public suffix list. */
  | 'public-suffix'
  /** Pages without TLS can be changed on their way to the browser. */
  | 'http';

/**
 * Returns why a domain may let outsiders in. A wildcard above a public suffix, such as `*.amazonaws.com`, is not found: the
 * list only says whether a name itself is one.
 */
export function suspicionOf(domain: AllowedDomain): Suspicion | undefined {
  if (domain.kind === 'wildcard') {
    const base = domain.suffix.slice(1);
    return getPublicSuffix(base, { allowPrivateDomains: true }) === base ? 'public-suffix' : undefined;
  }
  const urls = domain.origins.map((origin) => new URL(origin));
  return urls.some((url) => url.protocol === 'http:' && !isThisMachine(url.hostname)) ? 'http' : undefined;
}

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
