import type { Socket } from 'node:net';
import { networkOf } from './remote-network.ts';

export interface ConnectionLimitOptions {
  /** Maximum number of open connections. */
  readonly maxConnections: number;
  /** Maximum number of open connections of a network; 0 for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** A trusted proxy has the connections of many callers: only the limit of all connections is for it. */
  readonly isProxy: (address: string) => boolean;
  /** Returns whether the connection has no request in progress. */
  readonly isIdle: (socket: Socket) => boolean;
  /** Called for each connection that is closed because of a limit. */
  readonly onDropped?: (() => void) | undefined;
}

/** Bounds the cost of a connection that comes when all are in use. */
const maxSearched = 100;

/**
 * Returns a function that counts a new connection until it closes, and closes it if there are too many. When all are in use,
 * the network with the most gives an idle one to a network that has fewer: so many connections of a few networks do not keep
 * others out.
 */
export function createConnectionLimit(options: ConnectionLimitOptions): (socket: Socket) => void {
  const { maxConnections, maxConnectionsPerAddress, isProxy, isIdle, onDropped } = options;
  /** The connections of each network that is no proxy, oldest first. */
  const networks = new Map<string, Set<Socket>>();
  let open = 0;

  const drop = (socket: Socket) => {
    socket.destroy();
    onDropped?.();
  };
  const forget = (socket: Socket, network: string | undefined) => {
    const sockets = network === undefined ? undefined : networks.get(network);
    const isKnown = network === undefined || sockets?.delete(socket) === true;
    if (isKnown) open -= 1;
    if (network !== undefined && sockets?.size === 0) networks.delete(network);
  };
  /** Closes an idle connection of the network with the most. Returns false if it has no more than `most`, or all are busy. */
  const dropIdle = (most: number): boolean => {
    const [network, sockets] = largestOf(networks);
    if (sockets.size <= most) return false;
    for (const socket of firstOf(sockets, maxSearched)) {
      if (isIdle(socket)) {
        forget(socket, network);
        drop(socket);
        return true;
      }
      // The next search begins with others.
      sockets.delete(socket);
      sockets.add(socket);
    }
    return false;
  };

  return (socket) => {
    const { remoteAddress = '' } = socket;
    const network = isProxy(remoteAddress) ? undefined : networkOf(remoteAddress);
    const own = networks.get(network ?? '') ?? new Set<Socket>();
    const isFull = maxConnectionsPerAddress > 0 && own.size >= maxConnectionsPerAddress;
    if (isFull || (open >= maxConnections && !dropIdle(own.size + 1))) {
      drop(socket);
      return;
    }
    open += 1;
    if (network !== undefined) networks.set(network, own.add(socket));
    socket.once('close', () => forget(socket, network));
  };
}

function largestOf(networks: ReadonlyMap<string, Set<Socket>>): readonly [string, Set<Socket>] {
  let largest: readonly [string, Set<Socket>] = ['', new Set()];
  for (const entry of networks) if (entry[1].size > largest[1].size) largest = entry;
  return largest;
}

function firstOf(sockets: ReadonlySet<Socket>, count: number): Socket[] {
  const first: Socket[] = [];
  for (const socket of sockets) {
    if (first.length === count) break;
    first.push(socket);
  }
  return first;
}
