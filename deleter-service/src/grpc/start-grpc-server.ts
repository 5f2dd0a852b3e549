import { experimental, Server, ServerCredentials } from '@grpc/grpc-js';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import { DeleterService, packageDefinition } from '@jobs-delete/proto/load-deleter';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { HealthImplementation, service as healthService } from 'grpc-health-check';
import { ReflectionService } from '@grpc/reflection';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import { authorizeCallers } from './authorize-callers.ts';
import type { Callers } from './callers.ts';
import {
  endWatches,
  limitCalls,
  maxStreamsPerConnection,
  observeCalls,
  type AnsweredCall,
} from './call-interceptors.ts';

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
  /** Calls of one caller in progress. Default: that of call-interceptors.ts. */
  readonly maxCallsPerCaller?: number;
  /** Open health watches of one caller, or of all without authentication. Default: that of call-interceptors.ts. */
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

const servedHealth = 'grpc.health.v1.Health';

/** Creates server reflection (v1 and v1alpha) for clients such as grpcurl. */
function describeServices(): ReflectionService {
  const services = ['jobs.deleter.v1.DeleterService', servedHealth];
  // Each type includes the descriptors of its file.
  const health = healthService.Check?.requestType;
  const described = Object.entries(packageDefinition).map(([name, definition]) => {
    const { fileDescriptorProtos: files } = definition;
    return [
      name,
      Array.isArray(files) ? { ...definition, fileDescriptorProtos: files.map(withImports) } : definition,
    ];
  });
  return new ReflectionService(
    {
      ...(Object.fromEntries(described) as typeof packageDefinition),
      ...(health && { [servedHealth]: health }),
    },
    { services },
  );
}

/** Imported file by file name. The loader creates one file for each package. */
const imports: Readonly<Record<string, string>> = {
  'jobs_deleter_v1.proto': 'google_rpc.proto',
  'google_rpc.proto': 'google_protobuf.proto',
};

/**
 * Adds the imports that the loader omits (https://github.com/grpc/grpc-node/issues/2595): clients in Go, such as grpcurl,
 * refuse a file without them. In a FileDescriptorProto the name is field 1 and comes first; each `dependency` is a
 * field 3 and may come last. All are shorter than 128 bytes, so each length is one byte.
 */
function withImports(file: Buffer): Buffer {
  const name = file.toString('latin1', 2, 2 + (file[1] ?? 0));
  const imported = imports[name];
  if (imported === undefined) return file;
  return Buffer.concat([file, Buffer.from([0x1a, imported.length]), Buffer.from(imported)]);
}

interface GrpcHealthOptions {
  /** Resolves to the reason why the service can't be used, or to undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** The whole server, and the service: https://github.com/grpc/grpc/blob/master/doc/health-checking.md */
const servedNames = ['', 'jobs.deleter.v1.DeleterService'];

const checkHealthEveryMs = 1_000;

/** Serves grpc.health.v1 from the check. A change reaches watchers within a second. */
export function createGrpcHealth({ check, clock }: GrpcHealthOptions) {
  const implementation = new HealthImplementation();
  const stopping = new AbortController();
  const { signal } = stopping;
  const hasEnded = () => signal.aborted;
  let last: string | undefined;
  const report = (status: 'SERVING' | 'NOT_SERVING') => {
    if (status === last) return;
    last = status;
    for (const name of servedNames) implementation.setStatus(name, status);
  };
  const follow = async () => {
    while (!hasEnded()) {
      const reason = await check();
      if (hasEnded()) return;
      report(reason === undefined ? 'SERVING' : 'NOT_SERVING');
      await clock.sleep(checkHealthEveryMs, signal);
    }
  };
  // The store has just been opened.
  report('SERVING');
  void follow();
  return {
    implementation,
    /** Reports NOT_SERVING from now on: callers use another replica. */
    stop: () => {
      stopping.abort();
      report('NOT_SERVING');
    },
  };
}
