import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import type { Replica } from '../harness/spawn-roles.ts';
import type { KafkaServer } from '../servers/start-kafka.ts';
import type { MongoServers } from '../servers/start-mongo.ts';
import type { Balancer } from './balancer.ts';
import type { Cluster } from './cluster.ts';

/** A process that the campaign kills or freezes, or a line that it cuts or silences. */
export interface Target {
  readonly name: string;
  kill(): Promise<void>;
  /** Resolves when it can be killed again. */
  revive(): Promise<void>;
  /** No effect while the process is down. */
  freeze(): void;
  resume(): void;
}

export type TargetKind = 'gateway' | 'line' | 'api' | 'relay' | 'worker' | 'mongod' | 'kafka';
export type Targets = Readonly<Record<TargetKind, readonly Target[]>>;

export function targetsOf(
  cluster: Cluster,
  mongo: MongoServers,
  kafka: KafkaServer,
  balancer: Balancer,
): Targets {
  return {
    gateway: cluster.gateways.map((gateway) => ({
      name: gateway.name,
      kill: async () => {
        const killed = gateway.kill();
        balancer.remove(gateway);
        await killed;
      },
      revive: async () => {
        await gateway.start();
        balancer.add(gateway);
      },
      // The balancer does not notice, as if between two probes.
      freeze: () => gateway.freeze(),
      resume: () => gateway.resume(),
    })),
    line: cluster.lines.map((line, index) => ({
      name: `line to api ${String(index + 1)}`,
      kill: () => {
        line.cut();
        return Promise.resolve();
      },
      revive: () => {
        line.mend();
        return Promise.resolve();
      },
      freeze: () => line.swallow(),
      // A connection that lost bytes can't go on.
      resume: () => {
        line.cut();
        line.mend();
      },
    })),
    api: cluster.apis.map(replicaTarget),
    relay: cluster.relays.map(replicaTarget),
    worker: cluster.workers.map(replicaTarget),
    mongod: mongo.members.map((member, index) => ({
      name: `mongod ${String(index + 1)}`,
      kill: () => member.kill(),
      revive: () => member.restart(),
      freeze: () => member.freeze(),
      resume: () => member.resume(),
    })),
    kafka: [
      {
        name: 'kafka',
        kill: () => kafka.kill(),
        revive: () => kafka.restart(),
        freeze: () => kafka.freeze(),
        resume: () => kafka.resume(),
      },
    ],
  };
}

/** A kill may also hit a start. */
function replicaTarget(replica: Replica): Target {
  return {
    name: replica.name,
    kill: () => replica.kill(),
    revive: () => {
      void replica.start();
      return Promise.resolve();
    },
    freeze: () => replica.freeze(),
    resume: () => replica.resume(),
  };
}

/** Shares of the kills, in percent. */
const shares: Readonly<Record<TargetKind, number>> = {
  gateway: 20,
  line: 8,
  api: 20,
  relay: 14,
  worker: 14,
  mongod: 16,
  kafka: 8,
};

/** Returns the kills in random order, with exact shares. */
export function drawKills(count: number, targets: Targets, random: SeededRandom): Target[] {
  const kinds = Object.keys(shares) as TargetKind[];
  const drawn = kinds.flatMap((kind) =>
    Array.from({ length: Math.ceil((count * shares[kind]) / 100) }, (): Target => {
      const candidates = targets[kind];
      const target = candidates[random.below(candidates.length)];
      if (target === undefined) throw new Error(`there is no ${kind}`);
      return target;
    }),
  );
  const shuffled: Target[] = [];
  while (drawn.length > 0) shuffled.push(...drawn.splice(random.below(drawn.length), 1));
  return shuffled.slice(0, count);
}
