import {
  experimental,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  status,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import type { HealthImplementation } from 'grpc-health-check';
import { authorizeCallers } from './authorize-callers.ts';
import type { Callers } from './callers.ts';
import { describeServices } from './describe-services.ts';
import { limitCalls, maxStreamsPerConnection } from './limit-calls.ts';
import { observeCalls, type AnsweredCall } from './observe-calls.ts';

export interface GrpcServer {
  readonly port: number;
  /** Refuses new calls and waits for those in flight. Ends them after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Enough for 10,000 ids of 128 characters and the other fields of a request. */
export const maxMessageBytes = 8 * 1024 * 1024;

export interface GrpcServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Undefined allows every caller, and is valid only on a loopback address. */
  readonly callers: Callers | undefined;
}

export interface GrpcSurroundings {
  /** grpc.health.v1, which needs no authentication. */
  readonly health?: HealthImplementation;
  /** Undefined for a listener without TLS. */
  readonly certificates?: experimental.CertificateProvider | undefined;
  /** Callers reconnect after this time: they find new replicas and use current certificates. */
  readonly maxConnectionAgeMs?: number;
  /** Calls of one caller in progress. Default: that of limit-calls.ts. */
  readonly maxCallsPerCaller?: number;
  /** Open health watches of one caller, or of all without authentication. Default: that of limit-calls.ts. */
  readonly maxHealthWatches?: number;
  /** Called for every call, including refused ones. */
  readonly onAnswered?: (call: AnsweredCall) => void;
}

/** Starts the server. @throws StartupError if the port is not free */
export async function startGrpcServer(
  handlers: DeleterServiceHandlers,
  options: GrpcServerOptions & GrpcSurroundings,
): Promise<GrpcServer> {
  const { host, port, callers, health, certificates, maxConnectionAgeMs = 300_000, onAnswered } = options;
  const { maxCallsPerCaller, maxHealthWatches } = options;
  const stopping = new AbortController();
  const server = new Server({
    interceptors: [
      ...(onAnswered ? [observeCalls(onAnswered)] : []),
      endWatches(stopping.signal),
      ...(callers ? [authorizeCallers(callers)] : []),
      limitCalls(maxCallsPerCaller, maxHealthWatches),
    ],
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.max_concurrent_streams': maxStreamsPerConnection,
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': 30_000,
    'grpc.keepalive_time_ms': 60_000,
  });
  server.addService(DeleterService.service, handlers);
  describeServices().addToServer(server);
  health?.addToServer(server);
  const address = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  // Client certificates are optional: callers may have tokens, and probes have neither.
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

/**
 * Ends the streams of health and reflection when the signal is aborted, like the service's own streams. Otherwise a
 * stream that a caller never closes would delay the stop of the server.
 */
function endWatches(signal: AbortSignal): ServerInterceptor {
  return ({ path, responseStream }, call) => {
    if (!responseStream || !/^\/grpc\.(?:health|reflection)\./.test(path))
      return new ServerInterceptingCall(call);
    const end = () => call.sendStatus({ code: status.UNAVAILABLE, details: 'The server stops.' });
    signal.addEventListener('abort', end, { once: true });
    const forget = () => signal.removeEventListener('abort', end);
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: forget }),
      sendStatus: (ended, next) => {
        forget();
        next(ended);
      },
    });
  };
}
