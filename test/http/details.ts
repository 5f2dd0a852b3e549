import { describe, expect, test } from '@jest/globals';
import type { HttpCall } from '../harness/http-client.ts';
import { type Client, type ClientCall, expectProblem } from './client.ts';
import { type Code, languages, type Texts } from './contract.ts';

/** A wrong call, and what its refusal says about it in each language. */
export interface DetailCase {
  readonly title: string;
  readonly code: Code;
  readonly call: (client: Client) => ClientCall;
  /** The header or parameter in the title of the problem. */
  readonly header?: string;
  /** The methods of a 405. Default: DELETE. */
  readonly allow?: string;
  readonly detail: Texts;
}

/** Tests the `detail` of the problem, and of its only error if it has one. */
export function testDetails(cases: readonly DetailCase[], client: () => Client): void {
  describe.each(cases)('$title', ({ code, call, header, allow, detail }) => {
    test.each(languages)('in %s', async (language) => {
      const answer = await client().call({ ...call(client()), language });
      const options = {
        language,
        ...(header !== undefined && { header }),
        ...(allow !== undefined && { allow }),
      };
      const problem = expectProblem(answer, code, options);
      expect(problem.detail).toBe(detail[language]);
      if (problem.errors !== undefined)
        expect(problem.errors.map((error) => error.detail)).toEqual([problem.detail]);
    });
  });
}

/** Returns the call as an HTTP/1.1 request, one character for each byte. */
export function requestText(baseUrl: string, call: HttpCall): string {
  const { method = 'DELETE', path = '/', headers = {}, body = '' } = call;
  const bytes = Buffer.from(body).toString('latin1');
  const all = { Host: new URL(baseUrl).host, ...headers, 'Content-Length': String(bytes.length) };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${value}\r\n`] : [],
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytes}`;
}

/** Returns the request with this Transfer-Encoding. `frame` makes the chunks. */
export function inChunks(
  request: string,
  frame: (body: string, size: string) => string = (body, size) => `${size}\r\n${body}\r\n0\r\n\r\n`,
  transferEncoding = 'chunked',
): string {
  const [head = '', body = ''] = request.split('\r\n\r\n', 2);
  const framed = head.replace(/Content-Length: .*$/m, `Transfer-Encoding: ${transferEncoding}`);
  return `${framed}\r\n\r\n${frame(body, body.length.toString(16))}`;
}

/** Adds header lines. */
export function withLine(request: string, line: string): string {
  return request.replace('\r\n', `\r\n${line}\r\n`);
}
