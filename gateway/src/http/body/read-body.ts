import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../../limits/load-shedder.ts';
import type { Refusal } from '../answer/problem.ts';

/** The caller has gone before the end of its request: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** There are more requests than can be served now; nothing has been done. */
export const overloaded: Refusal = { code: 'unavailable', limit: 'load' };

/**
 * The whole body, whatever its framing, as long as there is room to hold it. One that is announced or grows too large is refused at once; the rest of
 * it is read and thrown away, up to as much again, so that the caller gets to see the answer.
 * @throws CallerGone
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  admission: Pick<Admission, 'hold'>,
): Promise<Buffer | Refusal> {
  const tooLarge: Refusal = { code: 'body_too_large' };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    discardRest(request, 2 * maxBytes);
    return Promise.resolve(tooLarge);
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
      discardRest(request, maxBytes);
      resolve(isTooLarge ? tooLarge : overloaded);
    };
    request.on('data', onData);
    request.once('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      // The listeners stay as long as the request does.
      chunks = [];
    });
    // Also after a whole body, when it is no news.
    const gone = () => request.readableEnded || reject(new CallerGone());
    request.once('error', gone);
    request.once('close', gone);
  });
}

/**
 * Node leaves it to the listener of 'checkContinue' to ask for the body, once it is wanted. HTTP/1.0 knows of no such
 * answer (RFC 9110, 10.1.1).
 */
function expectsContinue(request: IncomingMessage): boolean {
  return request.httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(request.headers.expect ?? '');
}

function discardRest(request: IncomingMessage, mostBytes: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) request.destroy();
  });
  request.on('error', () => undefined);
}
