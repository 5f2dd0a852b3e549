import { isUtf8 } from 'node:buffer';
import { isIPv4 } from 'node:net';
import { parseOrigin } from './parse-origin.ts';

/** The origins that may use an account's key: a host, an origin, or every host below a domain. */
export type AllowedDomain =
  | { readonly kind: 'exact'; readonly text: string; readonly origins: readonly string[] }
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

function parseHost(text: string): AllowedDomain | undefined {
  const secure = parseOrigin(`https://${text}`);
  // A browser sends 'null' for "no origin". It must not count as a host.
  if (secure === undefined || secure.hostname === 'null') return undefined;
  if (secure.hostname !== 'localhost') return { kind: 'exact', text: secure.host, origins: [secure.origin] };

  const plain = parseOrigin(`http://${text}`);
  const origins = [secure.origin, ...(plain === undefined ? [] : [plain.origin])];
  return { kind: 'exact', text: text.toLowerCase(), origins };
}

function parseWildcard(base: string): AllowedDomain | undefined {
  const url = parseOrigin(`https://${base}`);
  if (url?.port !== '' || base.includes(':') || isIPv4(url.hostname)) return undefined;
  // A base of one label would allow a whole top-level domain.
  if (!url.hostname.includes('.')) return undefined;
  return { kind: 'wildcard', text: `*.${url.hostname}`, suffix: `.${url.hostname}` };
}

/** Returns the canonical spelling. It parses to the same domain. */
export function formatAllowedDomain(domain: AllowedDomain): string {
  return domain.text;
}

/** Returns whether an Origin header belongs to one of the domains. Text that is no exact origin belongs to none. */
export function originMatches(originHeader: string, domains: readonly AllowedDomain[]): boolean {
  // Browsers send the origin in its canonical spelling.
  if (domains.some((domain) => domain.kind === 'exact' && domain.origins.includes(originHeader))) return true;
  const url = parseOrigin(decodeHeader(originHeader));
  if (url === undefined) return false;
  return domains.some((domain) =>
    domain.kind === 'wildcard'
      ? url.protocol === 'https:' && url.port === '' && url.hostname.endsWith(domain.suffix)
      : domain.origins.includes(url.origin),
  );
}

/** Returns an origin that the domain allows. */
export function exampleOrigin(domain: AllowedDomain): string {
  return domain.kind === 'wildcard' ? `https://www${domain.suffix}` : (domain.origins[0] ?? '');
}

/** Node decodes headers as Latin-1. A client that sends more than ASCII sends UTF-8. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return bytes.toString('latin1') === value && isUtf8(bytes) ? bytes.toString('utf8') : value;
}
