import { experimental, Server, ServerCredentials } from '@grpc/grpc-js';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import type { HealthImplementation } from 'grpc-health-check';
import { authorizeCallers } from './authorize-callers.ts';
import type { Callers } from './callers.ts';
import { describeServices } from './describe-services.ts';
import { endWatches } from './end-watches.ts';
import { observeCalls, type AnsweredCall } from './observe-calls.ts';

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls, lets those in flight finish, cuts them off after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** 10,000 ids of 128 characters and the rest of a request. */
export const maxMessageBytes = 8 * 1024 * 1024;

export interface GrpcServerOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Undefined, for whoever can connect, only where the host is a loopback address. */
  readonly callers: Callers | undefined;
}

export interface GrpcSurroundings {
  /** grpc.health.v1, which answers callers that don't say who they are. */
  readonly health?: HealthImplementation;
  /** Undefined for a listener without TLS. */
  readonly certificates?: experimental.CertificateProvider | undefined;
  /** After which a caller is made to connect anew: to a replica that is new, and with the certificates of the day. */
  readonly maxConnectionAgeMs?: number;
  /** Told of every call, the refused ones included. */
  readonly onAnswered?: (call: AnsweredCall) => void;
}

/** @throws StartupError when the port can't be had */
export async function startGrpcServer(
  handlers: DeleterServiceHandlers,
  options: GrpcServerOptions & GrpcSurroundings,
): Promise<GrpcServer> {
  const { host, port, callers, health, certificates, maxConnectionAgeMs = 300_000, onAnswered } = options;
  const stopping = new AbortController();
  const server = new Server({
    interceptors: [
      ...(onAnswered ? [observeCalls(onAnswered)] : []),
      endWatches(stopping.signal),
      ...(callers ? [authorizeCallers(callers)] : []),
    ],
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': 30_000,
    'grpc.keepalive_time_ms': 60_000,
  });
  server.addService(DeleterService.service, handlers);
  describeServices().addToServer(server);
  health?.addToServer(server);
  const address = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  // A client certificate is asked for, not required: callers may have tokens, and probes neither.
  const security = certificates
    ? experimental.createCertificateProviderServerCredentials(certificates, certificates, false)
    : ServerCredentials.createInsecure();
  const boundPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, security, (error, bound) => {
      if (error === null) resolve(bound);
      else
        reject(
          new StartupError(`GRPC_PORT: cannot listen on ${address}: it is in use or not allowed`, {
            cause: error,
          }),
        );
    });
  });

  return {
    port: boundPort,
    stop: (deadlineMs) =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, deadlineMs);
        server.tryShutdown(() => {
          clearTimeout(cutOff);
          resolve();
        });
        stopping.abort();
      }),
  };
}
