import { isUtf8 } from 'node:buffer';
import { decodeHeader } from '@jobs-delete/accounts/origins/allowed-domain';
import {
  type Language,
  languages,
  sentence,
  type Sentence,
  type SentenceCode,
} from '../../messages/messages.ts';
import { excerpt } from '../answer/echo.ts';
import type { Detail, EntryFault, Refusal } from '../answer/refusal.ts';
import { parseMediaType, tokenPattern } from './header-syntax.ts';
import { readLanguage } from './read-language.ts';

export interface RequestHeaders {
  readonly userAgent: string;
  readonly clientTechnology: string;
  readonly language: Language;
  readonly idempotencyKey?: string;
}

/**
 * Checks the headers other than credentials and framing. A refusal names every wrong one.
 * @param distinct `headersDistinct` of the request: plain `headers` drop or join repeated headers
 * @param expectedMediaType undefined for a request without a body, whose Content-Type is ignored
 */
export function readHeaders(
  distinct: NodeJS.Dict<string[]>,
  expectedMediaType?: 'application/json' | 'application/xml',
): RequestHeaders | Refusal {
  const contentType = readContentType(distinct['content-type'], expectedMediaType);
  const contentEncoding = readContentEncoding(distinct['content-encoding']);
  // Repeated list headers are one list (RFC 9110, 5.3).
  const language = readLanguage(distinct['accept-language']?.join(','));
  const userAgent = readUserAgent(distinct['user-agent']);
  const clientTechnology = readClientTechnology(distinct['x-client-lang']);
  const idempotency = readIdempotencyKey(distinct['idempotency-key']);

  if (contentType && contentEncoding && language && userAgent && clientTechnology && idempotency) {
    return { userAgent, clientTechnology, language, ...idempotency };
  }
  const values: Record<CheckedHeader, unknown> = {
    'Content-Type': contentType,
    'Content-Encoding': contentEncoding,
    'Accept-Language': language,
    'User-Agent': userAgent,
    'X-Client-Lang': clientTechnology,
    'Idempotency-Key': idempotency,
  };
  const headers = Object.keys(values) as CheckedHeader[];
  return refuse(
    headers.filter((header) => values[header] === undefined),
    distinct,
    expectedMediaType,
  );
}

function refuse(
  headers: readonly CheckedHeader[],
  distinct: NodeJS.Dict<string[]>,
  mediaType = 'application/json',
): Refusal {
  const code = 'header_invalid';
  const errors = headers.map((header): EntryFault => ({
    code,
    header,
    detail: explainHeader(header, distinct[header.toLowerCase()], mediaType),
  }));
  return { code, header: headers[0] ?? '', errors };
}

/** A header that is repeated has no value. */
export function onlyValue(values: string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

function readContentType(values: string[] | undefined, expected = 'any'): string | undefined {
  if (expected === 'any') return expected;
  const mediaType = parseMediaType(onlyValue(values) ?? '');
  if (mediaType?.essence !== expected) return undefined;
  const charsets = mediaType.parameters.filter(([name]) => name === 'charset');
  const allowed = charsets.length <= 1 && charsets.every(([, value]) => value.toLowerCase() === 'utf-8');
  return allowed ? expected : undefined;
}

/** A list header: its empty members are ignored (RFC 9110, 5.6.1). */
function readContentEncoding(values: string[] = []): 'identity' | undefined {
  const codings = values.flatMap((value) => value.split(','));
  return codings.every((coding) => /^[ \t]*(?:identity[ \t]*)?$/i.test(coding)) ? 'identity' : undefined;
}

function readUserAgent(values: string[] | undefined): string | undefined {
  const value = onlyValue(values);
  return value !== undefined && userAgentPattern.test(value) ? value : undefined;
}

function readClientTechnology(values: string[] | undefined): string | undefined {
  const bytes = Buffer.from(onlyValue(values) ?? '', 'latin1');
  const value = isUtf8(bytes) ? bytes.toString('utf8') : '';
  return technologyPattern.test(value) ? value : undefined;
}

function readIdempotencyKey(values: string[] | undefined): { idempotencyKey?: string } | undefined {
  if (values === undefined) return {};
  const value = onlyValue(values);
  return value !== undefined && idempotencyKeyPattern.test(value) ? { idempotencyKey: value } : undefined;
}

/** What each header that a request may get wrong must contain. */
const expectations = {
  'Content-Type': 'expect_content_type',
  'Content-Encoding': 'expect_content_encoding',
  'Accept-Language': 'expect_accept_language',
  'User-Agent': 'expect_user_agent',
  'X-Client-Lang': 'expect_client_technology',
  'Idempotency-Key': 'expect_idempotency_key',
} as const satisfies Record<string, SentenceCode>;
export type CheckedHeader = keyof typeof expectations;

/** Says what is wrong with a header, and what to send. @param mediaType the expected Content-Type */
export function explainHeader(name: CheckedHeader, values: string[] | undefined, mediaType: string): Detail {
  const isList = name === 'Accept-Language' || name === 'Content-Encoding';
  const received = isList && values !== undefined ? [values.join(', ')] : values;
  return [headerFault(name, received), sentence(expectations[name], { type: mediaType })];
}

/** Says what is wrong with a header that must have one value. Repeats the value, so never call it for a credential. */
function headerFault(name: string, values: string[] | undefined): Sentence {
  const [value = ''] = values ?? [];
  return absence(name, values) ?? sentence('value_wrong', { value: excerpt(decodeHeader(value)) });
}

/** Says that a header is missing, empty or repeated. Returns undefined when it has one value. */
export function absence(name: string, values: string[] | undefined): Sentence | undefined {
  if (values === undefined || values.length === 0) return sentence('header_missing', { name });
  if (values.length > 1) return sentence('header_repeated', { name, count: values.length });
  return values[0] === '' ? sentence('header_empty', { name }) : undefined;
}

/** The patterns of header values, as HTTP delivers them: without white space at either end. */
export const userAgentPattern = new RegExp(
  `^${tokenPattern}/${tokenPattern}(?:[ \\t][\\t\\x20-\\x7e\\x80-\\xff]*)?$`,
);
export const idempotencyKeyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
/** Refuses control, format, private and unassigned characters, and blank text. The `u` flag counts code points. */
const technologyPattern = /^(?=.*[^\p{Z}])[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u;

/** The ASCII values of `technologyPattern`. Many tools for OpenAPI support no Unicode classes. */
export const asciiTechnologyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/;

const spoken = languages.join('|');
const range = '(?:\\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)';
/** Common values of Accept-Language. `read-language.ts` understands more: other letter cases and all weights. */
export const commonLanguagesPattern = new RegExp(
  `^(?:\\*|(?:${spoken})(?:-[A-Za-z0-9]{1,8})*)(?:, ?${range}(?:;q=(?:0\\.[1-9]|1))?)*$`,
);
