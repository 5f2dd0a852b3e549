import { createHash, timingSafeEqual } from 'node:crypto';
import {
  ServerInterceptingCall,
  status,
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { callerRoles, type CallerRole, type Callers } from './callers.ts';

/**
 * Refuses with UNAUTHENTICATED who doesn't prove who it is, by `authorization: Bearer TOKEN` or by a client certificate
 * that is trusted; with PERMISSION_DENIED who may not do what it asks for. A token, where there is one, decides alone.
 * Health is for probes, which have neither: it tells them nothing but whether the service serves. A token that is sent
 * along has to be one that counts here, whatever it allows, so that a gateway's readiness tells whether its own does.
 */
export function authorizeCallers(callers: Callers): ServerInterceptor {
  const namesOf = identify(callers);
  const mayCall = (name: string, needed: CallerRole): boolean => {
    const role = callers.roles.get(name);
    return role !== undefined && callerRoles.indexOf(role) >= callerRoles.indexOf(needed);
  };

  return ({ path }, call) => {
    const isHealth = path.startsWith('/grpc.health.v1.Health/');
    const needed = neededRole(path);
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const isProbe = isHealth && metadata.get('authorization').length === 0;
            const names = isProbe ? [] : namesOf(metadata, call);
            if (names === undefined) call.sendStatus(unauthenticated);
            else if (isHealth || names.some((name) => mayCall(name, needed))) proceed(metadata);
            else call.sendStatus(denied(names, path));
          },
        });
      },
    });
  };
}

/** Of what is no name of these the most is needed, so that a new method is open to nobody by oversight. */
function neededRole(path: string): CallerRole {
  return reading.has(path) || path.startsWith('/grpc.reflection.') ? 'read' : 'delete';
}

const { GetDeletion, ListDeletions, WatchDeletion } = DeleterService.service;
const reading = new Set([GetDeletion, ListDeletions, WatchDeletion].map(({ path }) => path));

const unauthenticated = {
  code: status.UNAUTHENTICATED,
  details: 'A service token or a client certificate that is trusted here is required.',
};

function denied(names: readonly string[], path: string) {
  const caller = names.length > 0 ? names.join(', ') : 'A certificate without a DNS name or URI';
  return { code: status.PERMISSION_DENIED, details: `${caller} may not call ${path}.` };
}

/** @returns the names that a call is made under, or undefined where it doesn't prove any */
function identify({ tokens }: Callers) {
  const accepted = tokens.map(({ caller, token }) => ({ caller, digest: digest(token) }));
  return (metadata: Metadata, call: ServerInterceptingCallInterface): readonly string[] | undefined => {
    const [authorization] = metadata.get('authorization');
    if (authorization === undefined) return certifiedNames(call);
    const presented = digest(/^bearer +(.+)$/i.exec(String(authorization))?.[1] ?? '');
    // All are compared, whichever it is.
    const found = accepted.filter(({ digest: candidate }) => timingSafeEqual(candidate, presented));
    return found.length > 0 ? found.map(({ caller }) => caller) : undefined;
  };
}

/**
 * The DNS names and URIs of the caller's certificate, where it is trusted. The common name is none: RFC 6125 has
 * retired it. Node puts in quotes, commas escaped, what could pass for more than one name.
 */
function certifiedNames(call: ServerInterceptingCallInterface): readonly string[] | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  if (sslPeerCertificate === undefined) return undefined;
  const entries = sslPeerCertificate.subjectaltname?.split(', ') ?? [];
  return entries.flatMap((entry) => /^(?:DNS|URI):([^"]+)$/.exec(entry)?.[1] ?? []);
}

/** Of one length, whatever the token's, as timingSafeEqual needs. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
