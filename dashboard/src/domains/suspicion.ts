import type { AllowedDomain } from '@jobs-delete/accounts/origins/allowed-domain';
import { domainToUnicode } from 'node:url';
import { getPublicSuffix, parse } from 'tldts';

type Suspicion =
  /** Anybody can register a host below the wildcard's base, by the public suffix list. */
  | 'public-suffix'
  /** The host is the ending of other names, such as `com` or `co.uk`. */
  | 'ending'
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
  if (urls.some(({ hostname }) => isEnding(hostname))) return 'ending';
  return urls.some((url) => url.protocol === 'http:' && !isThisMachine(url.hostname)) ? 'http' : undefined;
}

/** Private endings such as `github.io` have a known owner. Other names of one part may be hosts of the account's own network. */
function isEnding(hostname: string): boolean {
  const { publicSuffix, isIcann } = parse(hostname);
  return isIcann === true && publicSuffix === hostname;
}

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** A risk that a person may accept. */
export type AcceptableRisk = 'http' | 'lookalike';
export type Refusal = Exclude<Suspicion, 'http'>;

/** Returns why a new domain is refused, whatever its sender accepts. */
export function refusalOf(domain: AllowedDomain): Refusal | undefined {
  const suspicion = suspicionOf(domain);
  return suspicion === 'http' ? undefined : suspicion;
}

/** Returns the risks that a person must accept before a domain is allowed. */
export function risksToAccept(domain: AllowedDomain): readonly AcceptableRisk[] {
  return [
    ...(suspicionOf(domain) === 'http' ? (['http'] as const) : []),
    ...(lookalikeOf(domain) === undefined ? [] : (['lookalike'] as const)),
  ];
}

/** Returns the value of a tick that accepts a risk. It names the domain: it accepts nothing for another one. */
export function acceptanceOf(risk: AcceptableRisk, domain: AllowedDomain): string {
  return `${risk} ${domain.text}`;
}

/** The two spellings of a host. */
export interface Lookalike {
  readonly unicode: string;
  readonly ascii: string;
}

/**
 * Returns the spellings of a host that may pass for another one: a label mixes alphabets, or consists of Cyrillic or Greek
 * letters that look like Latin ones below a Latin top-level domain. Lookalikes within the Latin alphabet are not found.
 */
export function lookalikeOf(domain: AllowedDomain): Lookalike | undefined {
  const ascii = domain.kind === 'wildcard' ? domain.suffix.slice(1) : new URL(domain.origins[0]).hostname;
  const unicode = domainToUnicode(ascii);
  const labels = unicode.split('.');
  const isBelowLatin = /^[a-z]+$/.test(labels.at(-1) ?? '');
  const isSuspicious = labels.some(
    (label) => mixesAlphabets(label) || (isBelowLatin && onlyLooksLatin.test(label)),
  );
  return isSuspicious ? { unicode, ascii } : undefined;
}

const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);
/** Languages write these together, and together with Latin letters. */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー]/gu;
/** Written with escapes: the letters would look Latin here too. */
const onlyLooksLatin =
  /^(?=.*\p{L})(?:[\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043e\u0440\u051b\u0455\u051d\u0445\u0443\u0475\d-]+|[\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\d-]+)$/u;

function mixesAlphabets(label: string): boolean {
  const letters = label.replace(eastAsian, '').match(/\p{L}/gu) ?? [];
  return alphabets.some(
    (alphabet) =>
      letters.some((letter) => alphabet.test(letter)) && !letters.every((letter) => alphabet.test(letter)),
  );
}
