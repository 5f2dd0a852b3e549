import { status, type Client, type Metadata } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

const timeoutMs = 2_000;

/** Of several, one that is about to stop says so while the others serve: the next call is to the next one. */
const mostAsked = 3;

/**
 * Asks by grpc.health.v1, over the channel and with the metadata of the calls.
 * @returns why no deleter serves, or knows the service token; or undefined
 */
export async function checkDeleter(client: Client, metadata: Metadata): Promise<string | undefined> {
  let reason: string | undefined;
  for (let asked = 0; asked < mostAsked; asked++) {
    reason = await askOne(client, metadata);
    if (reason === undefined) return undefined;
  }
  return reason;
}

function askOne(client: Client, metadata: Metadata): Promise<string | undefined> {
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
        if (error !== null) resolve(`${status[error.code]}: ${error.details}`);
        else resolve(response?.status === 'SERVING' ? undefined : 'it says that it does not serve now');
      },
    );
  });
}
