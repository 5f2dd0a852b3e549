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
  | 'deletion_limit_exceeded'
  | 'deletion_not_found'
  | 'deletion_not_cancellable'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable';

export type MessageCode = ProblemCode | 'jobs_queued' | 'job_queued';

/** Values for the placeholders of a text. A number is written as the language writes it. */
export type MessageParams = Readonly<Record<string, string | number>>;

const texts: Record<Language, Record<MessageCode, string>> = { fr, en, es };

/** Returns the text of `code`, with each placeholder such as `{name}` replaced by its value in `params`. */
export function text(language: Language, code: MessageCode, params?: MessageParams): string {
  return fillIn(language, texts[language][code], params);
}

export function fillIn(language: Language, template: string, params: MessageParams = {}): string {
  // A function, because a replacement string would interpret the `$` in a caller's value.
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? placeholder;
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}
