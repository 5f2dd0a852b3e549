import type { Format } from '../cells.ts';
import type { RunningProcess } from '../process/start-process.ts';

/** A server that deletes jobs over HTTP: jobs-delete or a peer. */
export interface System {
  /** Short name for tables: `ours`, `express`, … */
  readonly name: string;
  readonly processes: readonly RunningProcess[];
  /** HTTP ports, one per replica. */
  readonly ports: readonly number[];
  path(format: Format): string;
  stop(): Promise<void>;
}

export interface Caller {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
}

/** Returns every header that jobs-delete requires. The peers get the same headers and use what they need. */
export function callerHeaders({ token, secretKey, origin }: Caller): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    Usersecretkey: secretKey,
    Origin: origin,
    'Accept-Language': 'en',
    'User-Agent': 'bench/1.0',
    'X-Client-Lang': 'TypeScript',
  };
}

export function jobsDeletePath(format: Format): string {
  return `/v1/${format}/jobs-delete`;
}

export async function stopAll(processes: readonly RunningProcess[]): Promise<void> {
  await Promise.all(processes.map((running) => running.stop()));
}
