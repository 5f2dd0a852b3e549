import type { Request, Response } from 'express';
import { exposedHeaders, requestHeaders } from './header-names.ts';
import { onlyValue } from './request/read-headers.ts';

/** A browser sets Origin itself. Nobody needs Content-Encoding: its only allowed value changes nothing. */
const setByPages = requestHeaders.filter((name) => name !== 'Origin' && name !== 'Content-Encoding');
const allowedRequestHeaders = setByPages.join(', ');
const exposedResponseHeaders = exposedHeaders.join(', ');
const preflightSeconds = 600;

/**
 * Lets a page of the request's origin read the answer (https://fetch.spec.whatwg.org/#http-cors-protocol). The request itself
 * decides whether the origin is allowed for the account.
 */
export function allowOrigin(request: Request, response: Response, next: () => void): void {
  const origin = onlyValue(request.headersDistinct.origin);
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposedResponseHeaders);
  }
  response.setHeader('Vary', 'Origin');
  next();
}

/** Answers the preflight request of a browser without a look at any account: the request has no credentials. */
export function answerPreflight(methods: string) {
  return ({ method, headersDistinct }: Request, response: Response, next: () => void): void => {
    const isPreflight =
      method === 'OPTIONS' &&
      onlyValue(headersDistinct.origin) !== undefined &&
      onlyValue(headersDistinct['access-control-request-method']) !== undefined;
    if (!isPreflight) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', allowedRequestHeaders);
    response.setHeader('Access-Control-Max-Age', String(preflightSeconds));
    response.statusCode = 204;
    response.end();
  };
}
