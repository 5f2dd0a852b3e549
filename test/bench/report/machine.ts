import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchFolder, rootFolder } from '../folders.ts';

export interface Machine {
  readonly cpu: string;
  readonly memoryGib: number;
  readonly kernel: string;
  /** Load average of the minute before the run. Shows other work on the machine. */
  readonly loadAverage: number;
  /** Percentage of the minute before the run in which a runnable process waited for a CPU. */
  readonly cpuPressure: number | undefined;
  readonly versions: Readonly<Record<string, string>>;
}

export function describeMachine(): Machine {
  const require = createRequire(import.meta.url);
  const version = (folder: string, name: string) =>
    (require(join(folder, 'node_modules', name, 'package.json')) as { version: string }).version;
  const ofRoot = ['express', 'mongoose', 'kafkajs', '@grpc/grpc-js', 'saxes', 'fast-xml-parser', 'libsql'];
  const ofBench = ['@feathersjs/feathers', '@feathersjs/mongodb'];
  const [cpu] = cpus();
  return {
    cpu: `${String(cpus().length)} × ${cpu?.model.trim() ?? 'unknown'}`,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    loadAverage: Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]),
    cpuPressure: readCpuPressure(),
    versions: {
      Node: process.versions.node,
      MongoDB: '6.0.5',
      Kafka: '4.2.0',
      ...Object.fromEntries(ofRoot.map((name) => [name, version(rootFolder, name)])),
      ...Object.fromEntries(ofBench.map((name) => [name, version(benchFolder, name)])),
    },
  };
}

/** Returns undefined on kernels without pressure statistics. */
function readCpuPressure(): number | undefined {
  try {
    const text = /some .*avg60=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return text === undefined ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
