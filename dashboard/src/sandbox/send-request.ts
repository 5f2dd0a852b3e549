import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-address';
import { linkAbort } from '@jobs-delete/runtime/time/clock';
import type { SandboxRequest } from './sandbox-request.ts';

/** The answer of the API, or why there is none. */
export type SandboxAnswer =
  | {
      readonly kind: 'answered';
      /** Such as `HTTP/1.1 200 OK`. */
      readonly statusLine: string;
      readonly status: number;
      /** As received, in their order. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
    }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'too-large' };

interface SendOptions {
  /** The address of the API without a final slash. The request goes nowhere else: redirects are not followed. */
  readonly apiUrl: string;
  /** The network of the person, as `networkOf` writes it. A gateway that trusts this process counts failures for it. */
  readonly network: string;
  /** Ends the request early. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Default: 10 seconds. */
  readonly timeoutMs?: number;
}

const maxBodyBytes = 1_048_576;

/** Sends a sandbox request to the API over a new connection. */
export async function sendSandboxRequest(
  { path, headers, body }: SandboxRequest,
  { apiUrl, network, signal, onError, timeoutMs = 10_000 }: SendOptions,
): Promise<SandboxAnswer> {
  const url = new URL(apiUrl + path);
  const limited = linkAbort(signal, timeoutMs);
  const options: RequestOptions = {
    method: 'DELETE',
    agent: false,
    headers: {
      ...utf8Headers(headers),
      'Content-Length': Buffer.byteLength(body),
      ...(network !== unknownNetwork && { 'X-Forwarded-For': network.replace(/\/\d+$/, '') }),
    },
    signal: limited.signal,
  };
  try {
    return await readAnswer(await send(url, options, Buffer.from(body)));
  } catch (error) {
    onError(error);
    return { kind: 'no-answer' };
  } finally {
    limited.unlink();
  }
}

function send(url: URL, options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    request(url, options).once('response', resolve).on('error', reject).end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<SandboxAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The end of the loop closes the connection.
    if (bytes > maxBodyBytes) return { kind: 'too-large' };
    chunks.push(chunk);
  }
  const { httpVersion, statusCode = 0, statusMessage = '', rawHeaders } = response;
  return {
    kind: 'answered',
    statusLine: `HTTP/${httpVersion} ${String(statusCode)} ${statusMessage}`.trimEnd(),
    status: statusCode,
    headers: pairsOf(rawHeaders),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Node writes headers as Latin-1, one character for each byte, if the body is no string. */
function utf8Headers(headers: SandboxRequest['headers']): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  );
}

function pairsOf(raw: readonly string[]): (readonly [string, string])[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
