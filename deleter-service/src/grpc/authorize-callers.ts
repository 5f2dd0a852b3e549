import { createHash, timingSafeEqual } from 'node:crypto';
import {
  ServerInterceptingCall,
  status,
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { DeleterServiceDefinition } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { callerRoles, type CallerRole, type Callers } from './callers.ts';

/**
 * Requires `authorization: Bearer TOKEN` or a trusted client certificate, otherwise UNAUTHENTICATED; and a role that
 * allows the method, otherwise PERMISSION_DENIED. If both are sent, only the token counts.
 * Health checks need neither, because probes have neither. A health check with an unknown token is refused: a gateway
 * finds out at its start that its token is wrong.
 */
export function authorizeCallers(callers: Callers): ServerInterceptor {
  const mayCall = (name: string, allowed: readonly CallerRole[]): boolean => {
    const role = callers.roles.get(name);
    return role !== undefined && allowed.includes(role);
  };

  return ({ path }, call) => {
    const isHealth = path.startsWith('/grpc.health.v1.Health/');
    const allowed = rolesFor(path);
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const isProbe = isHealth && metadata.get('authorization').length === 0;
            if (isProbe) {
              proceed(metadata);
              return;
            }
            const identity = identify(callers, metadata, call);
            const name = identity?.names.find((candidate) => mayCall(candidate, allowed));
            if (identity === undefined) call.sendStatus(unauthenticated);
            else if (name === undefined && !isHealth) call.sendStatus(denied(identity.names, path));
            else {
              if (name !== undefined) provenCallers.set(metadata, `${identity.kind}:${name}`);
              proceed(metadata);
            }
          },
        });
      },
    });
  };
}

/** Has the metadata object of each call as its key: unlike a header, an entry can't be forged. */
const provenCallers = new WeakMap<Metadata, string>();

/** Returns `token:NAME` or `certificate:NAME`; undefined where callers need no proof. */
export function callerOf(metadata: Metadata): string | undefined {
  return provenCallers.get(metadata);
}

interface Identity {
  readonly kind: 'token' | 'certificate';
  readonly names: readonly string[];
}

/** The literal names: a service definition also has an index signature. */
type MethodName = keyof {
  [Name in keyof DeleterServiceDefinition as string extends Name ? never : Name]: unknown;
};

/**
 * The roles that may call each method. A gateway deletes and can't raise the limit that bounds it. A dashboard raises the
 * limit, and deletes only where the operator allows it.
 */
const rolesByMethod: Readonly<Record<MethodName, readonly CallerRole[]>> = {
  DeleteJobs: ['delete', 'manage-and-delete'],
  AcceptDeletions: ['delete'],
  CancelDeletion: ['manage', 'delete', 'manage-and-delete'],
  ChangeSafetyRules: ['manage', 'manage-and-delete'],
  AllowDeletions: ['manage', 'manage-and-delete'],
  GetSafetyRules: callerRoles,
  GetDeletion: callerRoles,
  ListDeletions: callerRoles,
  CountDeletions: callerRoles,
  ListJobs: callerRoles,
  GetJob: callerRoles,
  GetJobTitles: callerRoles,
  SearchJobs: callerRoles,
  CountJobs: callerRoles,
  WatchDeletion: callerRoles,
};
const rolesByPath = new Map(
  (Object.keys(rolesByMethod) as MethodName[]).map((name) => [
    DeleterService.service[name].path,
    rolesByMethod[name],
  ]),
);

/** A method that does not exist is UNIMPLEMENTED to callers that delete: a gateway may be of a later release. */
function rolesFor(path: string): readonly CallerRole[] {
  return rolesByPath.get(path) ?? (path.startsWith('/grpc.reflection.') ? callerRoles : ['delete']);
}

const unauthenticated = {
  code: status.UNAUTHENTICATED,
  details: 'A service token or a client certificate that is trusted here is required.',
};

function denied(names: readonly string[], path: string) {
  const caller = names.length > 0 ? names.join(', ') : 'A certificate without a DNS name or URI';
  return { code: status.PERMISSION_DENIED, details: `${caller} may not call ${path}.` };
}

/** Returns who calls: undefined if the caller proves nothing. */
function identify(
  { tokens }: Callers,
  metadata: Metadata,
  call: ServerInterceptingCallInterface,
): Identity | undefined {
  const [authorization] = metadata.get('authorization');
  if (authorization === undefined) return certified(call);
  const presented = digest(/^bearer +(.+)$/i.exec(String(authorization))?.[1] ?? '');
  // Compares all tokens: the time must not reveal which one matches.
  const found = tokens.filter(({ token }) => timingSafeEqual(digest(token), presented));
  return found.length > 0 ? { kind: 'token', names: found.map(({ caller }) => caller) } : undefined;
}

/**
 * Returns the DNS names and URIs of the caller's trusted certificate. Ignores the common name, as RFC 6125 says. Node
 * quotes an entry that could look like several names; such an entry is ignored.
 */
function certified(call: ServerInterceptingCallInterface): Identity | undefined {
  const { sslPeerCertificate } = call.getAuthContext();
  if (sslPeerCertificate === undefined) return undefined;
  const entries = sslPeerCertificate.subjectaltname?.split(', ') ?? [];
  const names = entries.flatMap((entry) => /^(?:DNS|URI):([^"]+)$/.exec(entry)?.[1] ?? []);
  return { kind: 'certificate', names };
}

/** Returns a hash: timingSafeEqual needs values of equal length. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
