import { join } from 'node:path';
import { builtFolder } from '../folders.ts';
import { startProcess, type RunningProcess } from '../process/start-process.ts';
import { stopAll, type System } from './system.ts';

export interface PeerOptions {
  /** DATABASE_URL, CREDENTIAL_PEPPER, KAFKA_BROKERS and KAFKA_TOPIC, or DATABASE_FILE for the embedded peer. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFolder: string;
}

export const peerNames = ['express', 'grpc-kafka', 'feathers'] as const;
export type PeerName = (typeof peerNames)[number];

export const peerDescriptions = {
  express: 'Express + mongoose, deletes directly',
  'grpc-kafka': 'gateway + gRPC + transaction + Kafka, no batching',
  feathers: 'Feathers, multi-remove',
} as const satisfies Record<PeerName, string>;

export async function startPeer(name: PeerName, options: PeerOptions): Promise<System> {
  switch (name) {
    case 'express':
      return systemOf(name, [await start('express-mongoose', options)]);
    case 'feathers':
      return systemOf(name, [await start('feathers', options)]);
    case 'grpc-kafka': {
      const service = await start('grpc-service', options);
      const env = { ...options.env, SERVICE_ADDRESS: `127.0.0.1:${service.said}` };
      return systemOf(name, [await start('grpc-gateway', { ...options, env }), service]);
    }
  }
}

export async function startEmbeddedPeer(options: PeerOptions): Promise<System> {
  return systemOf('express-libsql', [await start('express-libsql', options)]);
}

function start(file: string, { env, logFolder }: PeerOptions): Promise<RunningProcess> {
  return startProcess({
    name: file,
    args: [join(builtFolder, `peers/${file}.js`)],
    env,
    logFolder,
    ready: /listening on (\d+)/,
  });
}

/** Builds a system whose first process serves HTTP. */
function systemOf(name: string, processes: readonly RunningProcess[]): System {
  return {
    name,
    processes,
    ports: processes.slice(0, 1).map(({ said }) => Number(said)),
    path: () => '/jobs',
    stop: () => stopAll(processes),
  };
}
