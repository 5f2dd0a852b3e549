import { decodeHeader, type AllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { parseOrigin } from '@jobs-delete/accounts/origins/parse-origin';
import { sentence, type Sentence } from '../../messages/sentences.ts';
import { excerpt } from '../answer/echo.ts';
import type { Detail } from '../answer/refusal.ts';
import { absence } from './explain-header.ts';

/**
 * Explains why an Origin is not allowed. Names an allowed domain only if the Origin is close to it: the caller has shown
 * a token and a secret key of the account.
 */
export function explainOrigin(values: string[] | undefined, domains: readonly AllowedDomain[]): Detail {
  const absent = absence('Origin', values);
  if (absent !== undefined) return [absent, sentence('expect_origin')];
  const text = decodeHeader(values?.[0] ?? '');
  if (text === 'null') return [sentence('origin_null')];
  const value = excerpt(text);
  const origin = parseOrigin(text);
  if (origin === undefined) return [sentence(hasPath(text) ? 'origin_path' : 'origin_form', { value })];
  const nearest = mismatches.flatMap((explain) =>
    domains.flatMap((domain) => explain(origin, value, domain)),
  );
  return [nearest[0] ?? sentence('origin_unknown', { value })];
}

function hasPath(text: string): boolean {
  const end = text.indexOf('/', text.indexOf('://') + 3);
  return end !== -1 && parseOrigin(text.slice(0, end)) !== undefined;
}

/** Explains a near miss of one domain; returns nothing for any other. */
type Mismatch = (origin: URL, value: string, domain: AllowedDomain) => Sentence[];

/** The nearest comes first. */
const mismatches: readonly Mismatch[] = [
  (origin, value, domain) => {
    const allowed = sameHost(origin, domain);
    if (allowed === undefined) return [];
    const code = allowed.protocol === origin.protocol ? 'origin_port' : 'origin_scheme';
    return [sentence(code, { value, allowed: allowed.origin })];
  },
  ({ hostname }, _, domain) =>
    domain.kind === 'wildcard' && domain.suffix === `.${hostname}`
      ? [sentence('origin_apex', { host: hostname })]
      : [],
  ({ hostname }, value, domain) => {
    const host = domain.kind === 'exact' ? hostOf(domain.origins[0]) : undefined;
    return host !== undefined && hostname.endsWith(`.${host}`)
      ? [sentence('origin_subdomain', { host, value })]
      : [];
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
