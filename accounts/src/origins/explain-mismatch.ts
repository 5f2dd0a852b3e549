import type { AllowedDomain } from './allowed-domain.ts';
import { parseOrigin } from './parse-origin.ts';

/** Why an origin belongs to no allowed domain. */
export type OriginMismatch =
  /** `path`: an origin with more after its host. `form`: any other text that is no origin. */
  | { readonly kind: 'null' | 'path' | 'form' }
  /** Only the scheme or the port differs from an allowed origin. */
  | { readonly kind: 'scheme' | 'port'; readonly allowed: string }
  /** The base of an allowed wildcard, or a host below an allowed one. */
  | { readonly kind: 'apex' | 'subdomain'; readonly host: string }
  | { readonly kind: 'unknown' };

/** Explains an origin for which originMatches() is false. Names the nearest of several near misses. */
export function explainMismatch(text: string, domains: readonly AllowedDomain[]): OriginMismatch {
  if (text === 'null') return { kind: 'null' };
  const origin = parseOrigin(text);
  if (origin === undefined) return { kind: hasPath(text) ? 'path' : 'form' };
  const nearest = nearMisses.flatMap((explain) => domains.flatMap((domain) => explain(origin, domain)));
  return nearest[0] ?? { kind: 'unknown' };
}

function hasPath(text: string): boolean {
  const end = text.indexOf('/', text.indexOf('://') + 3);
  return end !== -1 && parseOrigin(text.slice(0, end)) !== undefined;
}

/** Explains a near miss of one domain; returns nothing for any other. */
type NearMiss = (origin: URL, domain: AllowedDomain) => OriginMismatch[];

/** The nearest comes first. */
const nearMisses: readonly NearMiss[] = [
  (origin, domain) => {
    const allowed = sameHost(origin, domain);
    if (allowed === undefined) return [];
    const kind = allowed.protocol === origin.protocol ? 'port' : 'scheme';
    return [{ kind, allowed: allowed.origin }];
  },
  ({ hostname }, domain) =>
    domain.kind === 'wildcard' && domain.suffix === `.${hostname}` ? [{ kind: 'apex', host: hostname }] : [],
  ({ hostname }, domain) => {
    const host = domain.kind === 'exact' ? hostOf(domain.origins[0]) : undefined;
    return host !== undefined && hostname.endsWith(`.${host}`) ? [{ kind: 'subdomain', host }] : [];
  },
];

/** Returns the allowed origin that has the same host. */
function sameHost({ hostname }: URL, domain: AllowedDomain): URL | undefined {
  if (domain.kind === 'exact')
    return domain.origins.map((origin) => new URL(origin)).find((allowed) => allowed.hostname === hostname);
  return hostname.endsWith(domain.suffix) ? new URL(`https://${hostname}`) : undefined;
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : new URL(origin).hostname;
}
