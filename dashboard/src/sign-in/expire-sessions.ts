import type { Services } from '../services.ts';
import { idleMs } from '../web/find-signed-in.ts';

const hourMs = 3_600_000;

/** Removes ended sessions and expired links every hour. Returns how to stop that. */
export function startExpiry(services: Pick<Services, 'accounts' | 'log' | 'now'>): () => void {
  const timer = setInterval(() => {
    expireSessions(services).catch((error: unknown) => {
      services.log.warn({ err: error }, 'removing expired sessions failed; the next attempt is in an hour');
    });
  }, hourMs);
  timer.unref();
  return () => clearInterval(timer);
}

export async function expireSessions({ accounts, now }: Pick<Services, 'accounts' | 'now'>): Promise<void> {
  const nowMs = now();
  // The last request is recorded up to a minute late, which keeps a session slightly longer. No request renews a session
  // after its 30 days, so it is removed 12 hours later too.
  await accounts.expireSessions(nowMs - idleMs);
  await accounts.expireOneTimeSecrets(nowMs);
}
