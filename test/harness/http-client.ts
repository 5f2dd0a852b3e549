import { request as httpRequest, type Agent } from 'node:http';
import type { TestAccount } from './service.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The body as JSON, or undefined if it is not JSON. */
  readonly json: unknown;
}

export interface HttpCall {
  readonly method?: string;
  readonly path?: string;
  /** undefined removes a default header. An array sends a header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** undefined sends neither a body nor its length. */
  readonly body?: string | Buffer | undefined;
  readonly agent?: Agent;
}

export const jsonPath = '/v1/json/jobs-delete';
export const xmlPath = '/v1/xml/jobs-delete';

/** Returns all headers that the account's calls need. */
export function callerHeaders(account: TestAccount, format: 'json' | 'xml' = 'json'): Record<string, string> {
  return {
    Authorization: `Bearer ${account.token}`,
    Usersecretkey: account.secretKey,
    Origin: account.origin,
    'Content-Type': `application/${format}`,
    'Accept-Language': 'en',
    'User-Agent': 'tests/1.0',
    'X-Client-Lang': 'TypeScript',
  };
}

export function jsonBody(jobIds: readonly string[]): string {
  return JSON.stringify({ jobs: { job: jobIds.map((id) => ({ id })) } });
}

export function xmlBody(jobIds: readonly string[]): string {
  const jobs = jobIds.map((id) => `<job><id>${id}</id></job>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<jobs>${jobs}</jobs>`;
}

/**
 * Sends one request. Sets Content-Length unless Transfer-Encoding is given: Node sends the body of a DELETE without
 * framing otherwise.
 */
export function send(baseUrl: string, call: HttpCall): Promise<HttpAnswer> {
  const { method = 'DELETE', path = jsonPath, headers = {}, body, agent } = call;
  const present = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  // Passes the path, because Node normalizes that of a URL, and bytes, because Node sends the headers in the encoding
  // of a text body.
  const { hostname, port, pathname } = new URL(baseUrl);
  const target = { hostname, port, path: (pathname === '/' ? '' : pathname) + path };
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...target, method, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    for (const { name, value } of present) request.setHeader(name, value);
    if (bytes !== undefined && !request.hasHeader('Transfer-Encoding'))
      request.setHeader('Content-Length', bytes.length);
    request.on('error', reject);
    request.end(bytes);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
