import { isUtf8 } from 'node:buffer';
import type { Language } from '../../messages/messages.ts';
import { idempotencyKeyPattern, technologyPattern, userAgentPattern } from './header-patterns.ts';
import { parseMediaType } from './media-type.ts';
import type { EntryFault, Refusal } from '../answer/refusal.ts';
import { explainHeader, type CheckedHeader } from './explain-header.ts';
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
  const language = readAcceptLanguage(distinct['accept-language']);
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
  const codings = values.flatMap((value) => value.split(',')).map((coding) => coding.trim().toLowerCase());
  return codings.every((coding) => coding === 'identity' || coding === '') ? 'identity' : undefined;
}

/** May be repeated: repeated list headers are one list (RFC 9110, 5.3). */
function readAcceptLanguage(values: string[] | undefined): Language | undefined {
  return readLanguage(values?.join(','));
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
