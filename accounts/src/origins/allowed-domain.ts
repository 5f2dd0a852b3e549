import { isUtf8 } from 'node:buffer';
import { isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
import { parseUrl } from '@jobs-delete/runtime/config/addresses';

/**
 * The origins that may use an account's key: a host, an origin, or every host below a domain. `text` is the canonical spelling,
 * which parses to the same domain.
 */
export type AllowedDomain =
  | { readonly kind: 'exact'; readonly text: string; readonly origins: readonly [string, ...string[]] }
  | { readonly kind: 'wildcard'; readonly text: string; readonly suffix: string };

/**
 * - `example.com` and `example.com:8443` mean https; `localhost`, with or without a port, means http too
 * - `https://example.com:8443` and `http://127.0.0.1:3000` mean exactly this origin
 * - `*.example.com` means https on its default port, with one or more labels before the base
 *
 * Returns undefined for anything else.
 */
export function parseAllowedDomain(text: string): AllowedDomain | undefined {
  if (text.includes('://')) {
    const origin = parseOrigin(text)?.origin;
    return origin === undefined ? undefined : { kind: 'exact', text: origin, origins: [origin] };
  }
  return text.startsWith('*.') ? parseWildcard(text.slice('*.'.length)) : parseHost(text);
}

/**
 * Parses a domain that is to be allowed. Stricter than browsers, which accept a label that begins or ends with a hyphen: no
 * domain has one (RFC 1123, section 2.1).
 */
export function parseNewDomain(text: string): AllowedDomain | undefined {
  const domain = parseAllowedDomain(text);
  const host = domain === undefined ? '' : new URL(exampleOrigin(domain)).hostname;
  return /(?:^|\.)-|-(?:\.|$)/.test(host) ? undefined : domain;
}

function parseHost(text: string): AllowedDomain | undefined {
  const secure = parseOrigin(`https://${text}`);
  // A browser sends 'null' for "no origin". It must not count as a host.
  if (secure === undefined || secure.hostname === 'null') return undefined;
  if (secure.hostname !== 'localhost') return { kind: 'exact', text: secure.host, origins: [secure.origin] };

  return {
    kind: 'exact',
    text: text.toLowerCase(),
    origins: [secure.origin, new URL(`http://${text}`).origin],
  };
}

function parseWildcard(base: string): AllowedDomain | undefined {
  const url = parseOrigin(`https://${base}`);
  if (url?.port !== '' || base.includes(':') || isIPv4(url.hostname)) return undefined;
  // A base of one label would allow a whole top-level domain.
  if (!url.hostname.includes('.')) return undefined;
  return { kind: 'wildcard', text: `*.${url.hostname}`, suffix: `.${url.hostname}` };
}

/** Returns whether a domain allows more than the one origin that its text says. */
export function allowsSeveral(domain: AllowedDomain | undefined): boolean {
  return domain?.kind === 'exact' ? domain.origins.length > 1 : domain !== undefined;
}

/** Returns the domains of an account. Leaves out a text that this release does not understand. */
export function parseAllowedDomains(texts: readonly string[]): AllowedDomain[] {
  return texts.flatMap((text) => parseAllowedDomain(text) ?? []);
}

/** Returns whether an Origin header belongs to one of the domains. */
export function originMatches(originHeader: string, domains: readonly AllowedDomain[]): boolean {
  return matchingDomain(originHeader, domains) !== undefined;
}

/**
 * Returns the domain that an Origin header belongs to, an exact one before a wildcard. Text that is no exact origin belongs
 * to none.
 */
export function matchingDomain(
  originHeader: string,
  domains: readonly AllowedDomain[],
): AllowedDomain | undefined {
  const findExact = (origin: string) =>
    domains.find((domain) => domain.kind === 'exact' && domain.origins.includes(origin));
  // Browsers send the origin in its canonical spelling.
  const exact = findExact(originHeader);
  if (exact !== undefined) return exact;
  const url = parseOrigin(decodeHeader(originHeader));
  if (url === undefined) return undefined;
  const isSecure = url.protocol === 'https:' && url.port === '';
  const isBelow = (domain: AllowedDomain) =>
    domain.kind === 'wildcard' && isSecure && url.hostname.endsWith(domain.suffix);
  return findExact(url.origin) ?? domains.find(isBelow);
}

/** Returns an origin that the domain allows. */
export function exampleOrigin(domain: AllowedDomain): string {
  return domain.kind === 'wildcard' ? `https://www${domain.suffix}` : domain.origins[0];
}

/** Node decodes headers as Latin-1. A client that sends more than ASCII sends UTF-8. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return bytes.toString('latin1') === value && isUtf8(bytes) ? bytes.toString('utf8') : value;
}

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
    if (domain.kind === 'wildcard') return [];
    const host = new URL(domain.origins[0]).hostname;
    return hostname.endsWith(`.${host}`) ? [{ kind: 'subdomain', host }] : [];
  },
];

/** Returns the allowed origin that has the same host. */
function sameHost({ hostname }: URL, domain: AllowedDomain): URL | undefined {
  if (domain.kind === 'exact')
    return domain.origins.map((origin) => new URL(origin)).find((allowed) => allowed.hostname === hostname);
  return hostname.endsWith(domain.suffix) ? new URL(`https://${hostname}`) : undefined;
}

/** `scheme://host[:port]` and nothing else: no path, user, query, white space, escape or empty port. */
const originShape = /^https?:\/\/(?<host>\[[0-9a-f:.]+\]|[a-z0-9._\x80-\uffff-]+)(?::[1-9][0-9]{0,4})?$/i;

/** Bounds the work of the URL parser. */
const maxOriginLength = 300;
/** The limit of DNS, in punycode. */
const maxHostLength = 253;

/**
 * Parses an http or https origin by the WHATWG URL rules: lower case, punycode, no default ports. Refuses spellings of
 * a host that the rules accept but no browser sends (`0x7f.1` for 127.0.0.1, full-width letters): an ASCII host must be
 * in normal form apart from its letter case, and any other host must need punycode.
 */
export function parseOrigin(text: string): URL | undefined {
  const host = text.length <= maxOriginLength ? originShape.exec(text)?.groups?.host : undefined;
  const url = host === undefined ? undefined : parseUrl(text);
  if (host === undefined || url === undefined) return undefined;
  const labels = url.hostname.split('.');
  const isAscii = !/[\x80-\uffff]/.test(host);
  const isNormal = isAscii
    ? url.hostname === host.toLowerCase()
    : labels.some((label) => label.startsWith('xn--'));
  const isHost = url.hostname.length <= maxHostLength && !labels.includes('') && labels.every(isDecodable);
  // Punycode may bring in an ASCII character that no host has.
  return isNormal && isHost && originShape.test(url.origin) ? url : undefined;
}

/** Newer releases of Node accept a label such as `xn--a`, which is no punycode, and leave it as it is. */
function isDecodable(label: string): boolean {
  return !label.startsWith('xn--') || !/^(?:xn--|$)/.test(domainToUnicode(label));
}
