import type { ServerResponse } from 'node:http';
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

/** Returns whether a browser asks if a page may send a request (a preflight). */
export function isPreflight({ method, headersDistinct }: Request): boolean {
  return (
    method === 'OPTIONS' &&
    onlyValue(headersDistinct.origin) !== undefined &&
    onlyValue(headersDistinct['access-control-request-method']) !== undefined
  );
}

/** Answers a preflight without a look at any account: it has no credentials. */
export function answerPreflight(response: ServerResponse, methods: readonly string[]): void {
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  response.setHeader('Access-Control-Allow-Headers', allowedRequestHeaders);
  response.setHeader('Access-Control-Max-Age', String(preflightSeconds));
  response.statusCode = 204;
  response.end();
}
