import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createPermits } from '../batching/permits.ts';
import { networkOf } from './remote-address.ts';

export interface ConnectionLimitOptions {
  /** Maximum number of open connections. */
  readonly maxConnections: number;
  /** Maximum number of open connections of a network; 0 for no limit. */
  readonly maxConnectionsPerAddress: number;
  /** A trusted proxy has the connections of many callers: only the limit of all connections is for it. */
  readonly isProxy: (address: string) => boolean;
  /** Called for each connection that is closed because of a limit. */
  readonly onDropped?: (() => void) | undefined;
}

/**
 * Bounds the open connections. When all are in use, a new one takes the place of the one that has been idle for the longest
 * time. So connections that nobody uses keep no caller out, however many networks they come from.
 */
export function createConnectionLimit(options: ConnectionLimitOptions) {
  const { maxConnections, maxConnectionsPerAddress, isProxy, onDropped } = options;
  const permits = createPermits({ perKey: maxConnectionsPerAddress });
  const open = new Map<string, Connection>();
  /** Those without a request in progress. The first one has been idle for the longest time. */
  const idle = new Map<string, Connection>();

  const drop = (socket: Socket) => {
    socket.destroy();
    onDropped?.();
  };
  /** Closes an idle connection if there are too many. Returns false if all are busy. */
  const makeRoom = (): boolean => {
    if (open.size < maxConnections) return true;
    for (const [peer, { socket }] of idle) {
      open.delete(peer);
      idle.delete(peer);
      drop(socket);
      return true;
    }
    return false;
  };
  return {
    /** Counts a new connection until it closes, and closes it if its network has too many, or if all connections are busy. */
    admit: (socket: Socket): void => {
      const { remoteAddress = '' } = socket;
      const isLimited = maxConnectionsPerAddress > 0 && !isProxy(remoteAddress);
      const network = networkOf(remoteAddress);
      if (isLimited && !permits.take(network)) {
        drop(socket);
        return;
      }
      if (isLimited) socket.once('close', () => permits.give(network));
      if (!makeRoom()) {
        drop(socket);
        return;
      }
      const peer = peerOf(socket);
      const connection = { socket, requests: 0 };
      open.set(peer, connection);
      idle.set(peer, connection);
      socket.once('close', () => {
        if (open.get(peer) !== connection) return;
        open.delete(peer);
        idle.delete(peer);
      });
    },
    /** Counts the connection as busy until the answer to the request has ended. */
    hold: (request: Pick<IncomingMessage, 'socket'>, response: Pick<ServerResponse, 'once'>): void => {
      const peer = peerOf(request.socket);
      const connection = open.get(peer);
      if (connection === undefined) return;
      connection.requests += 1;
      idle.delete(peer);
      response.once('close', () => {
        connection.requests -= 1;
        if (connection.requests === 0 && open.get(peer) === connection) idle.set(peer, connection);
      });
    },
  };
}

interface Connection {
  readonly socket: Socket;
  /** In progress. With pipelining, there are several. */
  requests: number;
}

/** Returns the address and port of the caller. With TLS, both sockets of a connection have the same. */
function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${String(remotePort)}`;
}
