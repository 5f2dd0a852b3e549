import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { limitFileSizes } from '../durability/limited-disk.ts';
import type { Target } from '../production/targets.ts';
import { endWithParent } from '../servers/child-process.ts';
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
  /** The process or connections that suffer. */
  readonly on: string;
  /** How much, such as ` by 5 s`; may be empty. */
  readonly degree: string;
  readonly clockErrorMs: number;
  begin(): unknown;
  end(): unknown;
}

export interface Plan {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly forMs: number;
}

/** Draws one or two faults of 2 to 10 s, never two on one process or on the same lines. Consecutive seeds have different kinds. */
export function drawPlan(seed: number, site: Site, targets: readonly Target[]): Plan {
  const random = createSeededRandom(seed);
  const draw: Draw = (items) => items[random.below(items.length)] ?? items[0];
  const first = kinds[seed % kinds.length] ?? kinds[0];
  const second = random.fraction() < 0.75 ? undefined : draw(kinds);
  const fault = drawFault(first, site, targets, draw);
  const other = second && drawFault(second, site, targets, draw);
  const faults = other === undefined || other.on === fault.on ? [fault] : [fault, other];
  return { seed, faults, forMs: 2_000 + random.below(8_000) };
}

type Draw = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item;

function drawFault(kind: Kind, site: Site, targets: readonly Target[], draw: Draw): Fault {
  switch (kind) {
    case 'cut':
    case 'slow':
    case 'reset':
    case 'half-open':
      return onLines(kind, site, draw);
    case 'stopped':
    case 'killed': {
      const target = draw(targets);
      const isKill = kind === 'killed';
      return {
        kind,
        on: target.name,
        degree: '',
        clockErrorMs: 0,
        begin: () => (isKill ? target.kill() : target.freeze()),
        end: () => (isKill ? target.revive() : target.resume()),
      };
    }
    case 'disk full':
    case 'disk read-only':
    case 'disk slow':
      return onDisk(kind, site, draw);
    case 'clock step': {
      const { name } = draw(site.cluster.replicas);
      const errorMs = draw([-90_000, -5_000, 5_000, 90_000]);
      return {
        kind,
        on: name,
        degree: ` by ${String(errorMs / 1_000)} s`,
        clockErrorMs: Math.abs(errorMs),
        begin: () => site.setClock(name, errorMs),
        end: () => site.setClock(name, 0),
      };
    }
  }
}

/** Hits one process's lines to MongoDB, Kafka or an api, or those of all processes. One direction, unless it is a cut. */
function onLines(kind: 'cut' | 'half-open' | 'slow' | 'reset', { wires }: Site, draw: Draw): Fault {
  const { from, to } = draw(wires.filter(isUsed));
  const isMongo = to.startsWith('mongod');
  const hitsAllMembers = isMongo && draw([true, true, false]);
  const hitsAllClients = draw([true, false, false, false, false]);
  const direction = draw<Direction>(['requests', 'answers']);
  const hit = wires.filter(
    (wire) =>
      (hitsAllClients || wire.from === from) &&
      (hitsAllMembers ? wire.to.startsWith('mongod') : wire.to === to),
  );
  const degree = {
    latencyMs: draw([50, 300, 1_500]),
    bytesPerSecond: draw([20_000, 200_000]),
    resetAfter: draw([100, 3_000, 50_000]),
  };
  const fall = (line: Line) => {
    if (kind === 'cut') line.cut();
    else if (kind === 'half-open') line.hold(direction);
    else if (kind === 'reset') line.resetAfter(direction, degree.resetAfter);
    else line.slow(direction, degree.latencyMs, degree.bytesPerSecond);
  };
  const degreeText = {
    cut: '',
    'half-open': `, ${direction}`,
    slow: `, ${direction} by ${String(degree.latencyMs)} ms at ${String(degree.bytesPerSecond / 1_000)} kB/s`,
    reset: `, ${direction} after ${String(degree.resetAfter)} bytes`,
  };
  return {
    kind,
    on: `${hitsAllClients ? 'all' : from} → ${hitsAllMembers ? 'mongodb' : to}`,
    degree: degreeText[kind],
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
function onDisk(kind: Kind, { mongo, kafka }: Site, draw: Draw): Fault {
  const members = mongo.members.map((member, index) => ({ ...member, name: `mongod ${String(index + 1)}` }));
  const server = draw(kind === 'disk full' ? [...members, { ...kafka, name: 'kafka' }] : members);
  const common = { kind, on: server.name, clockErrorMs: 0 };
  if (kind === 'disk full') {
    const limited = limitFileSizes('');
    if (typeof limited === 'string') throw new Error(limited);
    return {
      ...common,
      degree: '',
      begin: () => {
        if (isAlive(server.pid())) limited.fill(server.pid());
      },
      end: async () => {
        limited.free(server.pid());
        await server.restart();
      },
    };
  }
  const delayMs = draw([30, 300]);
  let tracer: Tracer | undefined;
  return {
    ...common,
    degree: kind === 'disk slow' ? ` by ${String(delayMs)} ms a write` : '',
    begin: async () => {
      const effect = kind === 'disk slow' ? `delay_enter=${String(1_000 * delayMs)}` : 'error=EROFS';
      if (isAlive(server.pid())) tracer = await traceWrites(server.pid(), effect);
    },
    end: async () => {
      await tracer?.stop();
      if (kind === 'disk read-only') await server.restart();
    },
  };
}

interface Tracer {
  /** Resolves when the process runs without it. */
  stop(): Promise<void>;
}

/** Gives each write of a process an effect (see `--inject` of strace). Resolves when the tracer is attached. */
async function traceWrites(pid: number, effect: string): Promise<Tracer> {
  const command = [...endWithParent(), 'strace', '-f', '-o', '/dev/null', '-p', String(pid)];
  const injection = `--inject=pwrite64,pwritev,fsync,fdatasync,fallocate,ftruncate:${effect}`;
  const tracer = spawn(command[0] ?? '', [...command.slice(1), injection], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(tracer, 'spawn');
  const exited = once(tracer, 'exit');
  let said = '';
  const attached = new Promise<void>((resolve) => {
    tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000);
      if (said.includes(' attached')) resolve();
    });
  });
  const failed = exited.then(() => Promise.reject(new Error(`strace has ended: ${said}`)));
  await Promise.race([attached, failed]);
  failed.catch(() => undefined);
  return {
    stop: async () => {
      // After another signal it may wait forever for a server that has ended.
      tracer.kill('SIGKILL');
      await exited;
    },
  };
}

/** Another fault may have killed the process. */
function isAlive(pid: number): boolean {
  return existsSync(`/proc/${String(pid)}`);
}
