import {
  credentials,
  experimental,
  Metadata,
  status,
  type ChannelCredentials,
  type ChannelOptions,
  type Client,
  type ServiceError,
} from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';

/** Options of every client of the deleter service. */
export const channelOptions: ChannelOptions = {
  'grpc.max_receive_message_length': 8 * 1024 * 1024,
  'grpc.max_send_message_length': 8 * 1024 * 1024,
  // Replaces a dead connection. The timeout is longer than a pause of the deleter's process may be.
  'grpc.keepalive_time_ms': 2_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // A client that starts before its deleters soon finds them.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // One TCP connection for each client: two clients of one process must not close each other's.
  'grpc.use_local_subchannel_pool': 1,
};

/** Options of every client that resolves the address of the deleter service. */
export const resolverOptions: ChannelOptions = {
  'grpc.service_config_disable_resolution': 1,
  // A rolling restart replaces every deleter within seconds. The default is 30 s.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
};

/** @param certificates undefined for a connection without TLS */
export function channelSecurity(
  certificates: experimental.CertificateProvider | undefined,
): ChannelCredentials {
  return certificates === undefined
    ? credentials.createInsecure()
    : experimental.createCertificateProviderChannelCredentials(certificates, certificates);
}

/**
 * Returns a function that returns the metadata of a caller, which proves its name. It is the same object until the token
 * changes.
 */
export function callerMetadata(serviceToken: (() => string | undefined) | undefined): () => Metadata {
  let token: string | undefined;
  let metadata = new Metadata();
  return () => {
    const current = serviceToken?.();
    if (current !== token) {
      token = current;
      metadata = new Metadata();
      if (current !== undefined) metadata.set('authorization', `Bearer ${current}`);
    }
    return metadata;
  };
}

/** A closed channel throws other errors. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

export function hasCode(error: unknown, code: status): error is ServiceError {
  return isServiceError(error) && error.code === code;
}

/** The answer of one deleter to grpc.health.v1. */
export type HealthAnswer =
  | { readonly kind: 'serving' }
  | { readonly kind: 'not-serving'; readonly reason: string }
  /** The deleter works, but does not know this service token. */
  | { readonly kind: 'token-refused'; readonly reason: string }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Sends a health check over the channel of the calls, with their metadata. Never rejects. */
export function askHealth(client: Client, metadata: Metadata, timeoutMs: number): Promise<HealthAnswer> {
  const { Check: check } = healthService;
  if (check === undefined) throw new Error('grpc-health-check has no method Check');
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      check.path,
      check.requestSerialize,
      (bytes) => check.responseDeserialize(bytes) as { readonly status: string },
      { service: '' },
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        if (error !== null) resolve(answerOfError(error.code, error.details));
        else if (response?.status === 'SERVING') resolve({ kind: 'serving' });
        else resolve({ kind: 'not-serving', reason: 'it reports that it does not serve' });
      },
    );
  });
}

function answerOfError(code: status, details: string): HealthAnswer {
  const reason = `${status[code]}: ${details}`;
  // https://github.com/grpc/grpc/blob/master/doc/health-checking.md: a server without the service counts as serving.
  if (code === status.UNIMPLEMENTED) return { kind: 'serving' };
  if (code === status.UNAUTHENTICATED) return { kind: 'token-refused', reason };
  return { kind: 'no-answer', reason };
}
