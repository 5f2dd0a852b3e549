import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Language } from '../messages/messages.ts';
import type { ProblemCode } from '../messages/problems.ts';
import type { LimitName } from './answer/refusal.ts';
import { readLanguage } from './request/read-language.ts';
import { prefersAllErrors } from './request/header-syntax.ts';

/** One request and its response. */
export interface Exchange {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The best language of the caller's header. Undefined if the header is missing or unreadable, or names none that we speak. */
  readonly acceptedLanguage: Language | undefined;
  /** The language of a refusal: the accepted one, or French. */
  readonly language: Language;
  /** The caller wants every wrong entry in the `errors` of a refusal. */
  readonly prefersAllErrors: boolean;
  /** The steps add to it. */
  readonly facts: RequestFacts;
  /** Called once the caller is authenticated. */
  onAuthenticated: () => void;
}

/** Fields of a request for the log and the traces. */
export interface RequestFacts {
  /** The path of the endpoint, without the base path. */
  endpoint?: string;
  /** Set once the token matched. */
  accountId?: string;
  /** The public part of the token, valid or not. */
  tokenId?: string;
  /** The caller's network, of a 401, 403 or 429 only. */
  network?: string;
  /** The Origin, if it was refused. */
  origin?: string;
  clientTechnology?: string;
  jobs?: number;
  deletionId?: string;
  /** Time that the request waited for a deletion to complete, as it had asked to. */
  waitedMs?: number;
  /** The code of the problem that was sent. */
  refusal?: ProblemCode;
  /** Spelt as OpenTelemetry spells it in logs. */
  trace_id?: string;
  /** The limit that refused the request. */
  limit?: LimitName;
}

/** Called once for each request, before every other middleware. */
export function startExchange(request: Request, response: Response): Exchange {
  const acceptedLanguage = readLanguage(request.headersDistinct['accept-language']?.join(','));
  const exchange: Exchange = {
    request,
    response,
    requestId: randomUUID(),
    acceptedLanguage,
    language: acceptedLanguage ?? 'fr',
    prefersAllErrors: prefersAllErrors(request.headersDistinct.prefer),
    facts: {},
    onAuthenticated: () => undefined,
  };
  response.locals.exchange = exchange;
  return exchange;
}

export function exchangeOf({ locals }: Response): Exchange {
  return locals.exchange as Exchange;
}
