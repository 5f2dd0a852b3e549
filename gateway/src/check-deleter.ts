import { status, type Client } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

const timeoutMs = 2_000;

/** Of several, one that is about to stop says so while the others serve: the next call is to the next one. */
const mostAsked = 3;

/** Asks by grpc.health.v1, over the channel that the calls take. @returns why no deleter serves, or undefined */
export async function checkDeleter(client: Client): Promise<string | undefined> {
  let reason: string | undefined;
  for (let asked = 0; asked < mostAsked; asked++) {
    reason = await askOne(client);
    if (reason === undefined) return undefined;
  }
  return reason;
}

function askOne(client: Client): Promise<string | undefined> {
  const { Check: check } = healthService;
  if (check === undefined) throw new Error('grpc.health.v1 has lost its Check');
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      (bytes) => check.responseDeserialize(bytes) as { readonly status: string },
      { service: '' },
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        if (error !== null) resolve(`${status[error.code]}: ${error.details}`);
        else resolve(response?.status === 'SERVING' ? undefined : 'it says that it does not serve now');
      },
    );
  });
}
