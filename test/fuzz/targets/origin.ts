import {
  exampleOrigin,
  explainMismatch,
  originMatches,
  parseAllowedDomain,
} from '@jobs-delete/accounts/origins/allowed-domain';
import type { Target } from '../fuzz.ts';
import { decodeUtf8 } from './job-outcome.ts';

/** An input is an allowed domain, a line feed, and an Origin header as HTTP carries it. */
export const origin: Target = {
  name: 'origin',
  seeds: [
    'example.com\nhttps://example.com',
    'https://example.com:8443\nhttps://EXAMPLE.com:8443',
    '*.example.com\nhttps://a.b.example.com:443',
    'localhost:3000\nhttp://localhost:3000',
    'bücher.example\nhttps://xn--bcher-kva.example',
    'xn--bcher-kva.example\nhttps://bücher.example',
    'http://[::1]:8080\nhttp://[::1]:8080',
    'http://127.0.0.1\nhttp://127.0.0.1:80',
  ],
  words: [
    ...[
      'https://',
      'http://',
      '*.',
      '.',
      ':',
      ':443',
      ':80',
      ':0',
      ':65535',
      ':65536',
      ':08',
      '/',
      '\\',
      '//',
      '?',
      '#',
    ],
    ...[
      '@',
      'user:pass@',
      'null',
      'localhost',
      'example.com',
      'a.',
      '.example.com',
      'xn--',
      'xn--a',
      'xn--bcher-kva',
    ],
    ...[
      'ü',
      'Ü',
      'ß',
      'ａ',
      '。',
      '.',
      '\u00ad',
      '\u200d',
      '%2e',
      '%',
      '0x7f.1',
      '127.1',
      '2130706433',
      '[::1]',
      '[',
      ']',
    ],
    ...[
      '::ffff:127.0.0.1',
      '1.2.3.4',
      '_',
      '-',
      ' ',
      '\t',
      '\n',
      ',',
      'https://evil.example',
      'ftp://',
      'HTTPS://',
      'İ',
      'K',
    ],
  ],
  run: (input) => {
    const { domain: text, header } = partsOf(input);
    const domain = parseAllowedDomain(text);
    if (domain === undefined) return 'no domain';
    const canonical = domain.text;
    const again = parseAllowedDomain(canonical);
    if (again?.text !== canonical) throw new Error(`the canonical spelling ${canonical} is another domain`);
    // No host is below a wildcard whose base is as long as a host may be.
    if (canonical.length < 250 && !originMatches(exampleOrigin(domain), [again]))
      throw new Error(`${exampleOrigin(domain)} does not match ${canonical}`);
    if (originMatches(header, [domain])) return 'allowed';
    explainMismatch(header, [domain]);
    return 'refused';
  },
  judge: (input, outcome) => {
    const { domain, header } = partsOf(input);
    const bytes = Buffer.from(header, 'latin1');
    const isAllowed = judgeOrigin(domain, decodeUtf8(bytes) ?? header);
    if (isAllowed === 'no domain') return 'no domain';
    if (outcome === 'no domain') return isPlainDomain(domain) ? 'a domain' : outcome;
    if (!isAllowed) return 'refused';
    return isPlainDomain(domain) && isPlainOrigin(header) ? 'allowed' : outcome;
  },
};

function partsOf(input: Buffer) {
  const end = input.includes('\n') ? input.indexOf('\n') : input.length;
  return { domain: input.toString('utf8', 0, end), header: input.toString('latin1', end + 1) };
}

/** Says by the URL parser whether a domain may allow an origin: a spelling that the documentation leaves open counts. */
function judgeOrigin(domain: string, header: string): boolean | 'no domain' {
  const isWildcard = domain.startsWith('*.');
  const host = isWildcard ? domain.slice(2) : domain;
  const allowed = originOf(host.includes('://') ? host : `https://${host}`);
  if (allowed === undefined || (isWildcard && (host.includes('://') || allowed.port !== '')))
    return 'no domain';
  const sent = originOf(header);
  if (sent === undefined) return false;
  if (isWildcard) return sent.origin.startsWith('https://') && sent.host.endsWith(`.${allowed.host}`);
  const mayBePlain = !host.includes('://') && allowed.hostname === 'localhost';
  return sent.origin === allowed.origin || (mayBePlain && sent.origin === new URL(`http://${host}`).origin);
}

/** Returns the URL of a text that has a scheme and a host, perhaps a port, and nothing else. */
function originOf(text: string): URL | undefined {
  if (/[ \t\r\n\f\v\\?#@*,]|[^:/]\/|\/\/\/|[:.]$|^[^a-z]/i.test(text) || !/^https?:\/\//i.test(text))
    return undefined;
  try {
    const url = new URL(text);
    return url.hostname.endsWith('.') ? undefined : url;
  } catch {
    return undefined;
  }
}

const plainHost = '(?:[a-z][a-z0-9]{0,20}\\.){1,4}[a-z]{2,10}(?::[1-9][0-9]{0,3})?';

/** Returns whether the documentation promises that this text is a domain: a usual name, in any letter case. */
function isPlainDomain(text: string): boolean {
  return new RegExp(`^(?:(?:https?://)?${plainHost}|\\*\\.${plainHost.split('(?::')[0] ?? ''})$`, 'i').test(
    text,
  );
}

function isPlainOrigin(text: string): boolean {
  return new RegExp(`^https?://${plainHost}$`, 'i').test(text);
}
