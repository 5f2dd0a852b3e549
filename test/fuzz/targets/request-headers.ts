import { isRefusal } from '@jobs-delete/gateway/http/answer/refusal';
import { readHeaders } from '@jobs-delete/gateway/http/request/read-headers';
import type { Target } from '../fuzz.ts';
import { isToken, readHeaderLines } from './header-lines.ts';
import { decodeUtf8 } from './job-outcome.ts';

const valid =
  'content-type: application/json; charset=utf-8\naccept-language: fr-CA, en;q=0.8\nuser-agent: shop/1.0 (x)\n' +
  'x-client-lang: PHP\nidempotency-key: key-1\ncontent-encoding: identity';

export const requestHeaders: Target = {
  name: 'request-headers',
  seeds: [
    valid,
    'content-type: application/json;charset="UTF-8";a=b\naccept-language: *\nuser-agent: a/1\nx-client-lang: C# 12 é',
    'content-type: application/xml\naccept-language: de, es;q=0.500 , fr ;q=0.1\nuser-agent: node\nx-client-lang: ',
    `${valid}\n${valid}`,
  ],
  words: [
    ...['content-type: ', 'accept-language: ', 'user-agent: ', 'x-client-lang: ', 'idempotency-key: '],
    ...[
      'content-encoding: ',
      '\n',
      'gzip',
      'identity',
      ', ',
      ',',
      ';',
      '; ',
      '=',
      '"',
      '\\',
      '/',
      '\t',
      ' ',
      '*',
      '-',
    ],
    ...[
      'charset=',
      'charset=utf-8',
      'charset="utf-8"',
      'charset="u\\tf-8"',
      'utf-16',
      'boundary=x',
      'application/json',
    ],
    ...[
      'fr',
      'en',
      'es',
      'de',
      'fr-CA',
      'EN-us',
      ';q=0',
      ';q=1',
      ';q=0.5',
      ';q=1.000',
      ';q=1.001',
      ';q=0.1234',
      ';Q=0.9',
    ],
    ...[
      'a/1',
      '(',
      ')',
      '\u00e9',
      '\u200b',
      '\u2028',
      '😀',
      '\x80',
      '\x7f',
      'x'.repeat(64),
      'k'.repeat(255),
      '\u00a0',
    ],
  ],
  run: (input) => {
    const headers = readHeaders(readHeaderLines(input), 'application/json');
    if (!isRefusal(headers)) {
      const { language, userAgent, clientTechnology, idempotencyKey } = headers;
      return `accepted: ${JSON.stringify([language, userAgent, clientTechnology, idempotencyKey])}`;
    }
    const names = headers.errors?.map(({ header }) => header) ?? [];
    if (names[0] !== headers.header || headers.code !== 'header_invalid')
      throw new Error('the refusal is not about its first error');
    return `refused: ${names.join(', ')}`;
  },
  judge: (input, outcome) => {
    const headers = readHeaderLines(input);
    const [userAgent, ...otherAgents] = headers['user-agent'] ?? [];
    const [technology, ...otherTechnologies] = headers['x-client-lang'] ?? [];
    const [key, ...otherKeys] = headers['idempotency-key'] ?? [];
    const clientTechnology = decodeUtf8(Buffer.from(technology ?? '', 'latin1')) ?? '';
    const codings = (headers['content-encoding'] ?? []).join(',').split(',');
    const language = judgeLanguage((headers['accept-language'] ?? []).join(','));
    const charset = judgeContentType(headers['content-type'] ?? []);
    /** All outcomes for this language and this Content-Type. */
    const outcomeFor = (chosen: string, isJson: boolean) => {
      const isRight = {
        'Content-Type': isJson,
        'Content-Encoding': codings.every((coding) => /^[ \t]*(?:identity[ \t]*)?$/i.test(coding)),
        'Accept-Language': chosen !== 'refused',
        'User-Agent': otherAgents.length === 0 && isUserAgent(userAgent ?? ''),
        'X-Client-Lang': otherTechnologies.length === 0 && isTechnology(clientTechnology),
        'Idempotency-Key': key === undefined || (otherKeys.length === 0 && /^[ -~]{1,255}$/.test(key)),
      };
      const wrong = Object.entries(isRight).filter(([, isAllowed]) => !isAllowed);
      return wrong.length > 0
        ? `refused: ${wrong.map(([name]) => name).join(', ')}`
        : `accepted: ${JSON.stringify([chosen, userAgent, clientTechnology, key])}`;
    };
    const chosen = language === 'open' ? ['refused', 'fr', 'en', 'es'] : [language];
    const possible = chosen.flatMap((each) =>
      (charset === 'open' ? [true, false] : [charset]).map((isJson) => outcomeFor(each, isJson)),
    );
    return possible.includes(outcome) ? outcome : possible.join(' or ');
  },
};

/** One media type. Two charsets are left open. */
function judgeContentType(values: readonly string[]): boolean | 'open' {
  const [essence, ...parameters] = splitOutsideQuotes(values.length === 1 ? (values[0] ?? '') : '');
  const [type, subtype, ...rest] = (essence ?? '').trimEnd().split('/');
  if (type?.toLowerCase() !== 'application' || subtype?.toLowerCase() !== 'json' || rest.length > 0)
    return false;
  const charsets: string[] = [];
  for (const parameter of parameters.map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ''))) {
    if (parameter === '') continue;
    const equals = parameter.indexOf('=');
    const name = parameter.slice(0, Math.max(0, equals));
    const value = unquoted(parameter.slice(equals + 1));
    if (!isToken(name) || value === undefined) return false;
    if (name.toLowerCase() === 'charset') charsets.push(value.toLowerCase());
  }
  if (charsets.length > 1) return charsets.every((charset) => charset === 'utf-8') ? 'open' : false;
  return charsets.every((charset) => charset === 'utf-8');
}

function splitOutsideQuotes(text: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === ';' && !isQuoted) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\\' && isQuoted && at + 1 < text.length)
      parts.push((parts.pop() ?? '') + text.charAt(++at));
  }
  return parts;
}

/** Returns the value of a token or of a quoted string (RFC 9110, 5.6.4). */
function unquoted(text: string): string | undefined {
  if (isToken(text)) return text;
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return undefined;
  let value = '';
  for (let at = 1; at < text.length - 1; at++) {
    if (text.charAt(at) === '"') return undefined;
    if (text.charAt(at) === '\\' && ++at === text.length - 1) return undefined;
    value += text.charAt(at);
  }
  return value;
}

/** A list of RFC 9110, 12.5.4. The documentation leaves open how `*` and q=0 go together. */
function judgeLanguage(header: string): string {
  let best = { language: 'refused', weight: 0 };
  let isOpen = false;
  for (const member of header.split(',').map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ''))) {
    if (member === '') continue;
    const [range = '', parameter, ...rest] = member
      .split(';')
      .map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ''));
    const subtags = range.split('-');
    const isRange = range === '*' || subtags.every((tag, index) => isSubtag(tag, index));
    const quality = parameter === undefined ? '1' : /^q=(.*)$/i.exec(parameter)?.[1];
    if (!isRange || rest.length > 0 || quality === undefined || !isQuality(quality)) return 'refused';
    const language = subtags[0]?.toLowerCase() ?? '';
    const weight = Number(quality);
    if (range === '*' || weight === 0) isOpen ||= range === '*' || ['fr', 'en', 'es'].includes(language);
    else if (['fr', 'en', 'es'].includes(language) && weight > best.weight) best = { language, weight };
  }
  return isOpen ? 'open' : best.language;
}

function isSubtag(tag: string, index: number): boolean {
  return tag.length >= 1 && tag.length <= 8 && (index === 0 ? /^[a-z]+$/i : /^[a-z\d]+$/i).test(tag);
}

function isQuality(text: string): boolean {
  return text.length <= 5 && /^[01](?:\.\d*)?$/.test(text) && Number(text) <= 1;
}

function isUserAgent(value: string): boolean {
  const product = value.split(/[ \t]/, 1)[0] ?? '';
  const [name = '', version = '', ...rest] = product.split('/');
  return rest.length === 0 && isToken(name) && isToken(version);
}

/** 1 to 64 printable characters, not only spaces. */
function isTechnology(value: string): boolean {
  const characters = Array.from(value);
  return (
    characters.length <= 64 &&
    characters.every((character) => /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u.test(character)) &&
    characters.some((character) => !/\p{Zs}/u.test(character))
  );
}
