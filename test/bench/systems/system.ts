import type { Format } from '../cells.ts';
import type { RunningProcess } from '../process/start-process.ts';

/** Something that deletes jobs over HTTP: jobs-delete or a peer. */
export interface System {
  /** Short, for tables: `ours`, `express`, … */
  readonly name: string;
  /** All of them run on the same MongoDB and Kafka; the embedded ones need neither. */
  readonly processes: readonly RunningProcess[];
  /** Where it answers; several where it has replicas. */
  readonly ports: readonly number[];
  path(format: Format): string;
  stop(): Promise<void>;
}

/** The one caller. */
export interface Caller {
  readonly accountId: string;
  readonly token: string;
  readonly secretKey: string;
  readonly origin: string;
}

/** Every header that jobs-delete asks for. The peers are sent the same and use what they need. */
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
