import { experimental } from '@grpc/grpc-js';
import { resolverOptions } from '@jobs-delete/proto/client-channel';

export interface AddressWatch {
  /** Resolves the addresses again soon. Several calls within a second count as one. */
  refresh(): void;
  stop(): void;
}

export interface AddressListener {
  /** Called with every resolved `HOST:PORT`; an IPv6 host is in brackets. */
  readonly onAddresses: (addresses: readonly string[]) => void;
  readonly onError: (reason: string) => void;
}

const options = {
  ...resolverOptions,
  'grpc.initial_reconnect_backoff_ms': 500,
  'grpc.max_reconnect_backoff_ms': 5_000,
};

/** Resolves `HOST:PORT`, `dns:///HOST:PORT` or `ipv4:A:PORT,B:PORT` with the resolvers of grpc-js. */
export function watchAddresses(target: string, { onAddresses, onError }: AddressListener): AddressWatch {
  const resolver = experimental.createResolver(
    uriOf(target),
    (endpoints) => {
      if (endpoints.ok) onAddresses(endpoints.value.flatMap(({ addresses }) => addresses.map(textOf)));
      else onError(endpoints.error.details);
      return endpoints.ok;
    },
    options,
  );
  resolver.updateResolution();
  return { refresh: () => resolver.updateResolution(), stop: () => resolver.destroy() };
}

/** Returns the name that certificates must have; undefined for a list of addresses. */
export function hostNameOf(target: string): string | undefined {
  const { scheme, path } = uriOf(target);
  return scheme === 'dns' ? experimental.splitHostPort(path)?.host : undefined;
}

function uriOf(target: string): experimental.GrpcUri {
  if (target.startsWith('ipv4:')) return { scheme: 'ipv4', path: target.slice('ipv4:'.length) };
  return { scheme: 'dns', authority: '', path: target.replace(/^dns:\/\/\//, '') };
}

function textOf(address: experimental.SubchannelAddress): string {
  return experimental.subchannelAddressToString(address);
}
