import { status, type Client, type Metadata } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

const timeoutMs = 2_000;

/** Of several, one that is about to stop says so while the others serve: the next call is to the next one. */
const mostAsked = 3;

/** Why no deleter can be used. */
export interface DeleterTrouble {
  readonly reason: string;
  /** It serves, but not whoever has this service token. */
  readonly isTokenRefused: boolean;
}

/**
 * Asks by grpc.health.v1, over the channel and with the metadata of the calls.
 * @returns undefined if a deleter serves, and knows the service token
 */
export async function checkDeleter(client: Client, metadata: Metadata): Promise<DeleterTrouble | undefined> {
  let trouble: DeleterTrouble | undefined;
  for (let asked = 0; asked < mostAsked; asked++) {
    trouble = await askOne(client, metadata);
    if (trouble === undefined) return undefined;
  }
  return trouble;
}

function askOne(client: Client, metadata: Metadata): Promise<DeleterTrouble | undefined> {
  const { Check: check } = healthService;
  if (check === undefined) throw new Error('grpc.health.v1 has lost its Check');
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      (bytes) => check.responseDeserialize(bytes) as { readonly status: string },
      { service: '' },
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        if (error !== null) {
          const isTokenRefused = error.code === status.UNAUTHENTICATED;
          resolve({ reason: `${status[error.code]}: ${error.details}`, isTokenRefused });
        } else if (response?.status === 'SERVING') resolve(undefined);
        else resolve({ reason: 'it says that it does not serve now', isTokenRefused: false });
      },
    );
  });
}
