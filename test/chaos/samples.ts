import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DeletionDocument } from '@jobs-delete/deleter-service/store/mongo/collections';
import type { SentRequest } from '../durability/sent-requests.ts';
import { removalLag, withDatabase } from '../production/cluster-aftermath.ts';
import type { Series } from './plot.ts';
import type { Site } from './site.ts';

export const panels = {
  memory: 'Resident memory of the services, MiB',
  heap: 'Heap in use, MiB',
  servers: 'Resident memory of the servers, MiB',
  handles: 'Open descriptors',
  latency: 'Answers within the last minute, ms',
  lag: 'Events that no worker has processed',
  oldest: 'Age of the oldest open deletion, s',
  files: 'Data files, MiB',
} as const;
export type PanelName = keyof typeof panels;

/** Series by panel and name. */
export interface Samples {
  readonly series: readonly (Series & { readonly panel: PanelName })[];
  /** Adds a point to each series. */
  take(requests: readonly SentRequest[]): Promise<void>;
}

export function createSamples(site: Site): Samples {
  const { cluster, mongo, kafka } = site;
  const startedAt = performance.now();
  const series = new Map<string, Series & { readonly panel: PanelName }>();
  const add = (panel: PanelName, name: string, value: number | undefined) => {
    if (value === undefined || Number.isNaN(value)) return;
    const key = `${panel} ${name}`;
    const one = series.get(key) ?? { panel, name, points: [] };
    series.set(key, one);
    one.points.push({ minute: (performance.now() - startedAt) / 60_000, value });
  };
  const servers = [
    ...mongo.members.map((member, index) => ({
      name: `mongod ${String(index + 1)}`,
      pid: () => member.pid(),
    })),
    { name: 'kafka', pid: () => kafka.pid() },
  ];
  const ofProcess = (panel: PanelName, name: string, pid: number | undefined) => {
    add(panel, name, residentMib(pid));
    add('handles', name, descriptors(pid));
  };
  return {
    get series() {
      return [...series.values()];
    },
    take: async (requests) => {
      for (const { name, pid, admin } of cluster.replicas) {
        ofProcess('memory', name, pid());
        const metrics = await quietly(() => admin.metrics());
        add('heap', name, (metrics?.get('nodejs_heap_size_used_bytes') ?? NaN) / mebibyte);
      }
      for (const { name, pid } of servers) ofProcess('servers', name, pid());
      add('files', 'mongodb', folderMib(mongo.folder));
      add('files', 'kafka', folderMib(kafka.folder));
      add('lag', 'events', await quietly(() => removalLag(cluster)));
      add('oldest', 'deletion', await quietly(() => oldestOpenSeconds(site)));
      const answered = latencies(requests, Date.now() - 60_000);
      add('latency', 'p50', answered[Math.floor(answered.length * 0.5)]);
      add('latency', 'p99', answered[Math.floor(answered.length * 0.99)]);
    },
  };
}

const mebibyte = 2 ** 20;

/** A sample is missing while its source is away. */
async function quietly<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  return ask().catch(() => undefined);
}

function orNothing(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function residentMib(pid: number | undefined): number | undefined {
  const status = () => readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return orNothing(() => Number(/^VmRSS:\s+(\d+) kB$/m.exec(status())?.[1]) / 1_024);
}

function descriptors(pid: number | undefined): number | undefined {
  return orNothing(() => readdirSync(`/proc/${String(pid)}/fd`).length);
}

function folderMib(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    // A file may be gone by now.
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    return file?.isFile() === true ? file.blocks * 512 : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) / mebibyte;
}

function oldestOpenSeconds({ cluster }: Site): Promise<number> {
  return withDatabase(cluster, async (database) => {
    const open = database.collection<DeletionDocument>('deletions').find({ due_at: { $exists: true } });
    const [oldest] = await open.sort({ accepted_at: 1 }).limit(1).toArray();
    return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.accepted_at.getTime()) / 1_000;
  });
}

function latencies(requests: readonly SentRequest[], sinceMs: number): number[] {
  return requests
    .flatMap(({ attempts }) => attempts)
    .filter(({ sentAtMs, answer }) => sentAtMs >= sinceMs && answer !== undefined)
    .map(({ sentAtMs, answeredAtMs }) => answeredAtMs - sentAtMs)
    .sort((a, b) => a - b);
}
