import { createHash } from 'node:crypto';
import { hashSecret, newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { OneTimeSecrets } from '@jobs-delete/accounts/people/sessions';
import type { Visit } from '../../web/route.ts';

const lifetimeMs = 5 * 60_000;

/** Returns a challenge that works once, in this browser. One to add a passkey belongs to a person. */
export async function addChallenge(
  accounts: OneTimeSecrets,
  visit: Visit,
  personId: string | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = newSecret();
  await accounts.addOneTimeSecret({
    kind: 'passkey-challenge',
    hash: hashSecret(challenge),
    expiresAtMs: visit.nowMs + lifetimeMs,
    data: { browser: browserOf(visit), ...(personId !== undefined && { personId }) },
  });
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

/** Uses the challenge. Resolves to whether it was for this browser and person. */
export async function takeChallenge(
  accounts: OneTimeSecrets,
  visit: Visit,
  challenge: string,
  personId: string | undefined,
): Promise<boolean> {
  const taken = await accounts.takeOneTimeSecret('passkey-challenge', hashSecret(challenge), visit.nowMs);
  return taken?.data.browser === browserOf(visit) && taken.data.personId === personId;
}

/** Identifies a browser in what belongs to it. */
export function browserOf({ browserSecret }: Visit): string {
  return createHash('sha256').update(browserSecret).digest('base64url');
}
