import {
  credentials,
  experimental,
  Metadata,
  type ChannelCredentials,
  type ChannelOptions,
} from '@grpc/grpc-js';

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
