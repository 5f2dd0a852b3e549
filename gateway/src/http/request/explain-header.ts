import { decodeHeader } from '@jobs-delete/accounts/origins/allowed-domain';
import { sentence, type Sentence, type SentenceCode } from '../../messages/sentences.ts';
import { excerpt } from '../answer/echo.ts';
import type { Detail } from '../answer/refusal.ts';

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
