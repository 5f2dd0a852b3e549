import { createHash, timingSafeEqual } from 'node:crypto';
import { ServerInterceptingCall, status, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';

/**
 * Refuses, with UNAUTHENTICATED, every call that does not carry one of the tokens as
 * `authorization: Bearer TOKEN`. Several, so that a token can be replaced without a gap. Health is for probes, which have
 * no token: it tells them nothing but whether the service serves.
 */
export function requireServiceToken(tokens: readonly string[]): ServerInterceptor {
  const accepted = tokens.map(digest);
  const isAccepted = (metadata: Metadata): boolean => {
    const [authorization] = metadata.get('authorization');
    const token = /^bearer +(.+)$/i.exec(String(authorization ?? ''))?.[1] ?? '';
    const presented = digest(token);
    return accepted.filter((candidate) => timingSafeEqual(candidate, presented)).length > 0;
  };

  return ({ path }, call) => {
    if (path.startsWith('/grpc.health.v1.Health/')) return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            if (isAccepted(metadata)) proceed(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'A service token is required.' });
          },
        });
      },
    });
  };
}

/** Of one length, whatever the token's, as timingSafeEqual needs. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
