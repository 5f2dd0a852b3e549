import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** In the order of preference, for callers that accept any language. */
export const languages = ['fr', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

/** Why a request is refused. Part of the contract: a code never changes, in any language. */
export type ProblemCode =
  | 'job_id_required'
  | 'job_id_malformed'
  | 'job_id_duplicated'
  | 'body_malformed'
  | 'too_many_jobs'
  | 'header_invalid'
  | 'idempotency_key_reused'
  | 'authentication_required'
  | 'token_invalid'
  | 'secret_key_invalid'
  | 'origin_not_allowed'
  | 'query_invalid'
  | 'job_not_found'
  | 'deletion_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable';

/** A text that explains the problem. For people only: programs use the code and the pointers. */
export type DetailCode =
  | 'body_absent'
  | 'body_not_utf8'
  | 'body_too_deep'
  | 'json_syntax'
  | 'json_member_duplicated'
  | 'jobs_not_an_object'
  | 'job_not_a_list'
  | 'entry_not_an_object'
  | 'xml_syntax'
  | 'xml_construct_refused'
  | 'xml_encoding'
  | 'xml_root'
  | 'xml_no_job'
  | 'xml_text_outside_id'
  | 'xml_id_split'
  | 'xml_id_repeated';

export type MessageCode = ProblemCode | DetailCode | 'jobs_queued' | 'job_queued';

export interface MessageParams {
  readonly name?: string;
  readonly id?: string;
}

const texts: Record<Language, Record<MessageCode, string>> = { fr, en, es };

/** Returns the text of `code`, with `{name}` and `{id}` replaced by `params`. */
export function text(language: Language, code: MessageCode, params?: MessageParams): string {
  const template = texts[language][code];
  if (params === undefined) return template;
  // A function, because a replacement string would interpret the `$` in a caller's value.
  return template.replace(/\{(name|id)\}/g, (placeholder, key: 'name' | 'id') => params[key] ?? placeholder);
}
