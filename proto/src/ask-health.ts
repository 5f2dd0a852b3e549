import { status, type Client, type Metadata } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

/** The answer of one deleter to grpc.health.v1. */
export type HealthAnswer =
  | { readonly kind: 'serving' }
  | { readonly kind: 'not-serving'; readonly reason: string }
  /** The deleter works, but does not know this service token. */
  | { readonly kind: 'token-refused'; readonly reason: string }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Sends a health check over the channel of the calls, with their metadata. Never rejects. */
export function askHealth(client: Client, metadata: Metadata, timeoutMs: number): Promise<HealthAnswer> {
  const { Check: check } = healthService;
  if (check === undefined) throw new Error('grpc-health-check has no method Check');
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      (bytes) => check.responseDeserialize(bytes) as { readonly status: string },
      { service: '' },
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        if (error !== null) resolve(answerOfError(error.code, error.details));
        else if (response?.status === 'SERVING') resolve({ kind: 'serving' });
        else resolve({ kind: 'not-serving', reason: 'it reports that it does not serve' });
      },
    );
  });
}

function answerOfError(code: status, details: string): HealthAnswer {
  const reason = `${status[code]}: ${details}`;
  // https://github.com/grpc/grpc/blob/master/doc/health-checking.md: a server without the service counts as serving.
  if (code === status.UNIMPLEMENTED) return { kind: 'serving' };
  if (code === status.UNAUTHENTICATED) return { kind: 'token-refused', reason };
  return { kind: 'no-answer', reason };
}
