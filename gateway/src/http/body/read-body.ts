import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../../limits/load-shedder.ts';
import { sentence } from '../../messages/messages.ts';
import { type Refusal, overloaded } from '../answer/refusal.ts';
import { malformed } from './fault-list.ts';

/** The caller closed the connection before the end of its request, so nobody waits for an answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Reads the whole body into memory. Refuses at once a body that is too large, or for which there is no memory. Then
 * discards the rest, up to `maxBytes` more: a caller that is still sending would not see the answer.
 * @throws CallerGone
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  admission: Pick<Admission, 'hold'>,
): Promise<Buffer | Refusal> {
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  if (announcedBytes > maxBytes) {
    discardRest(request, 2 * maxBytes);
    const detail = [sentence('body_bytes', { count: announcedBytes, limit: maxBytes })];
    return Promise.resolve({ code: 'body_too_large', detail });
  }
  if (expectsContinue(request)) response.writeContinue();

  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      const isTooLarge = bytes > maxBytes;
      if (!isTooLarge && admission.hold(chunk.length)) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      // The admission gives their memory back.
      chunks = [];
      discardRest(request, maxBytes);
      resolve(isTooLarge ? tooLarge(maxBytes) : overloaded);
    };
    request.on('data', onData);
    request.once('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      // The listeners live as long as the request. Without them, the body is garbage.
      chunks = [];
    });
    // Also emitted after a whole body.
    const gone = () => request.readableEnded || reject(new CallerGone());
    request.once('error', gone);
    request.once('close', gone);
  });
}

function tooLarge(maxBytes: number): Refusal {
  return { code: 'body_too_large', detail: [sentence('body_bytes_exceeded', { limit: maxBytes })] };
}

/** Returns whether the caller waits for 100 Continue. HTTP/1.0 has no such answer (RFC 9110, 10.1.1). */
function expectsContinue(request: IncomingMessage): boolean {
  return request.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(request.headers.expect ?? '');
}

function discardRest(request: IncomingMessage, maxBytes: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.destroy();
  });
  request.on('error', () => undefined);
}

/** Returns the text of the body, with its byte-order mark. Refuses bytes that are not UTF-8. */
export function decodeBody(body: Buffer): string | Refusal {
  if (body.length === 0) return malformed([], [sentence('body_absent')]);
  if (!isUtf8(body)) return malformed([], [sentence('body_not_utf8')]);
  return body.toString('utf8');
}
