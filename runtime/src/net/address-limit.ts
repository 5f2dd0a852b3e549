import type { Socket } from 'node:net';
import { networkOf } from './remote-network.ts';
import { createPermits } from '../batching/permits.ts';

export interface AddressLimitOptions {
  /** Maximum number of open connections of a network; 0 for no limit. */
  readonly maxConnections: number;
  /** A trusted proxy has the connections of many callers, and no limit. */
  readonly isProxy: (address: string) => boolean;
}

/** Returns a function that counts a new connection until it closes. It returns false when its network has too many. */
export function createAddressLimit(options: AddressLimitOptions): (socket: Socket) => boolean {
  const { maxConnections, isProxy } = options;
  const permits = createPermits({ perKey: maxConnections });

  return (socket) => {
    const { remoteAddress = '' } = socket;
    if (maxConnections === 0 || isProxy(remoteAddress)) return true;
    const network = networkOf(remoteAddress);
    if (!permits.take(network)) return false;
    socket.once('close', () => permits.give(network));
    return true;
  };
}
