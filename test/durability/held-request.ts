import { request as httpRequest, type Agent } from 'node:http';
import { callerHeaders, jsonBody, jsonPath, type HttpAnswer } from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';

export interface HeldRequest {
  /** Sends the body. */
  release(): void;
  readonly answer: Promise<Pick<HttpAnswer, 'status' | 'headers'>>;
}

/** Starts a request that the service is processing: the service waits for the body. */
export function holdRequest(
  baseUrl: string,
  account: TestAccount,
  jobIds: readonly string[],
  agent: Agent | false = false,
): Promise<HeldRequest> {
  const body = jsonBody(jobIds);
  const headers = {
    ...callerHeaders(account),
    'Content-Length': Buffer.byteLength(body),
    Expect: '100-continue',
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(baseUrl + jsonPath, { method: 'DELETE', headers, agent });
    const answer = new Promise<Pick<HttpAnswer, 'status' | 'headers'>>((resolveAnswer, rejectAnswer) => {
      request.once('error', rejectAnswer);
      request.once('response', (response) => {
        response.once('error', rejectAnswer);
        response.once('end', () =>
          resolveAnswer({ status: response.statusCode ?? 0, headers: response.headers }),
        );
        response.resume();
      });
    });
    answer.catch(reject);
    request.once('continue', () => resolve({ answer, release: () => void request.end(body) }));
    request.flushHeaders();
  });
}
