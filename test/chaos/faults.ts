import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { limitFileSizes } from '../durability/limited-disk.ts';
import type { Target } from '../production/targets.ts';
import type { Direction, Line } from '../servers/line.ts';
import type { Site } from './site.ts';

export const kinds = [
  'cut',
  'slow',
  'reset',
  'half-open',
  'stopped',
  'killed',
  'disk full',
  'disk read-only',
  'disk slow',
  'clock step',
] as const;
export type Kind = (typeof kinds)[number];

export interface Fault {
  readonly kind: Kind;
  /** The place and the degree. */
  readonly what: string;
  readonly clockErrorMs: number;
  begin(): unknown;
  end(): unknown;
}

export interface Plan {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly forMs: number;
}

/** Draws one or two faults of 2 to 10 s. Consecutive seeds have different kinds. */
export function drawPlan(seed: number, site: Site, targets: readonly Target[]): Plan {
  const random = createSeededRandom(seed);
  const pick: Pick = (items) => items[random.below(items.length)] ?? items[0];
  const first = kinds[seed % kinds.length] ?? kinds[0];
  const drawn = random.fraction() < 0.75 ? [first] : [first, pick(kinds)];
  const faults = drawn.map((kind) => drawFault(kind, site, targets, pick));
  return { seed, faults, forMs: 2_000 + random.below(8_000) };
}

type Pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item;

function drawFault(kind: Kind, site: Site, targets: readonly Target[], pick: Pick): Fault {
  switch (kind) {
    case 'cut':
    case 'slow':
    case 'reset':
    case 'half-open':
      return onLines(kind, site, pick);
    case 'stopped':
    case 'killed': {
      const target = pick(targets);
      const isKill = kind === 'killed';
      return {
        kind,
        what: target.name,
        clockErrorMs: 0,
        begin: () => (isKill ? target.kill() : target.freeze()),
        end: () => (isKill ? target.revive() : target.resume()),
      };
    }
    case 'disk full':
    case 'disk read-only':
    case 'disk slow':
      return onDisk(kind, site, pick);
    case 'clock step': {
      const { name } = pick(site.cluster.replicas);
      const errorMs = pick([-90_000, -5_000, 5_000, 90_000]);
      return {
        kind,
        what: `${name} by ${String(errorMs / 1_000)} s`,
        clockErrorMs: Math.abs(errorMs),
        begin: () => site.setClock(name, errorMs),
        end: () => site.setClock(name, 0),
      };
    }
  }
}

/** Hits one process's lines to MongoDB, Kafka or an api, or those of all processes. One direction, unless it is a cut. */
function onLines(kind: Kind, { wires }: Site, pick: Pick): Fault {
  const { from, to } = pick(wires.filter(isUsed));
  const isMongo = to.startsWith('mongod');
  const hitsAllMembers = isMongo && pick([true, true, false]);
  const hitsAllClients = pick([true, false, false, false, false]);
  const direction = pick<Direction>(['requests', 'answers']);
  const hit = wires.filter(
    (wire) =>
      (hitsAllClients || wire.from === from) &&
      (hitsAllMembers ? wire.to.startsWith('mongod') : wire.to === to),
  );
  const degree = {
    latencyMs: pick([50, 300, 1_500]),
    bytesPerSecond: pick([20_000, 200_000]),
    resetAfter: pick([100, 3_000, 50_000]),
  };
  const fall = (line: Line) => {
    if (kind === 'cut') line.cut();
    else if (kind === 'half-open') line.hold(direction);
    else if (kind === 'reset') line.resetAfter(direction, degree.resetAfter);
    else line.slow(direction, degree.latencyMs, degree.bytesPerSecond);
  };
  const degreeText = {
    slow: ` by ${String(degree.latencyMs)} ms at ${String(degree.bytesPerSecond / 1_000)} kB/s`,
    reset: ` after ${String(degree.resetAfter)} bytes`,
  }[kind as string];
  const way = `${hitsAllClients ? 'all' : from} → ${hitsAllMembers ? 'mongodb' : to}`;
  return {
    kind,
    what: kind === 'cut' ? way : `${way}, ${direction}${degreeText ?? ''}`,
    clockErrorMs: 0,
    begin: () => hit.forEach(({ line }) => fall(line)),
    end: () => hit.forEach(({ line }) => line.mend()),
  };
}

/** Gateways and apis don't use Kafka here. */
function isUsed({ from, to }: Site['wires'][number]): boolean {
  return to !== 'kafka' || /^(?:relay|worker)/.test(from);
}

/**
 * A full disk is a limit on the size of files. The kernel's tracer makes writes fail, or slow. The server may end, and is then started
 * again. The broker's writes look like those of its connections, so only its disk is never read-only or slow.
 */
function onDisk(kind: Kind, { mongo, kafka }: Site, pick: Pick): Fault {
  const members = mongo.members.map((member, index) => ({ ...member, name: `mongod ${String(index + 1)}` }));
  const server = pick(kind === 'disk full' ? [...members, { ...kafka, name: 'kafka' }] : members);
  const common = { kind, what: server.name, clockErrorMs: 0 };
  if (kind === 'disk full') {
    const limited = limitFileSizes('');
    if (typeof limited === 'string') throw new Error(limited);
    return {
      ...common,
      begin: () => {
        // Another fault may have killed it.
        if (existsSync(`/proc/${String(server.pid())}`)) limited.fill(server.pid());
      },
      end: async () => {
        limited.free(server.pid());
        await server.restart();
      },
    };
  }
  const delayMs = pick([30, 300]);
  let tracing: Promise<unknown> | undefined;
  let stop: () => void = () => undefined;
  return {
    ...common,
    what: kind === 'disk slow' ? `${server.name} by ${String(delayMs)} ms a write` : server.name,
    begin: () => {
      const effect = kind === 'disk slow' ? `delay_enter=${String(1_000 * delayMs)}` : 'error=EROFS';
      const tracer = spawn('strace', [
        ...['-f', '-qq', '-o', '/dev/null', '-p', String(server.pid())],
        `--inject=pwrite64,pwritev,fsync,fdatasync,fallocate,ftruncate:${effect}`,
      ]);
      tracing = once(tracer, 'exit');
      // After another signal it may wait forever for a server that has ended.
      stop = () => void tracer.kill('SIGKILL');
    },
    end: async () => {
      stop();
      await tracing;
      if (kind === 'disk read-only') await server.restart();
    },
  };
}
