import type { AddressInfo, Server } from 'node:net';
import { StartupError } from '../startup-error.ts';

interface Address {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/**
 * Makes a server listen, and resolves to its port.
 * @param variable the setting of the port, for the error
 * @throws StartupError when the port is not available
 */
export function listen(server: Server, variable: string, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason = `${variable}: cannot listen on ${host}:${String(port)}: ${error.message}`;
      reject(new StartupError(reason, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
