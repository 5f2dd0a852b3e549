import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchFolder, rootFolder } from '../folders.ts';

/**
 * Returns the machine and the versions as text. The load average and the CPU pressure of the last minute show other work on
 * the machine.
 */
export function describeMachine(): string {
  const require = createRequire(import.meta.url);
  const version = (folder: string, name: string) =>
    (require(join(folder, 'node_modules', name, 'package.json')) as { version: string }).version;
  const ofRoot = ['express', 'mongoose', 'kafkajs', '@grpc/grpc-js', 'saxes', 'fast-xml-parser', 'libsql'];
  const ofBench = ['@feathersjs/feathers', '@feathersjs/mongodb'];
  const [cpu] = cpus();
  const versions = [
    `Node ${process.versions.node}`,
    ...['MongoDB 6.0.5', 'Kafka 4.2.0'],
    ...ofRoot.map((name) => `${name} ${version(rootFolder, name)}`),
    ...ofBench.map((name) => `${name} ${version(benchFolder, name)}`),
  ];
  const model = `${String(cpus().length)} × ${cpu?.model.trim() ?? 'unknown'}`;
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';
  const pressure = readCpuPressure();
  const byOthers = pressure === undefined ? '' : `, CPU pressure ${pressure} % by others`;
  return `Machine: ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, load average ${load} before the run${byOthers}.
Versions: ${versions.join(', ')}.
`;
}

/** Returns the percentage of a minute in which a runnable process waited for a CPU. Undefined on kernels without pressure statistics. */
function readCpuPressure(): number | undefined {
  try {
    const text = /some .*avg60=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return text === undefined ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
