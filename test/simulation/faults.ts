import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { Cluster } from './cluster.ts';
import { partitionCount } from './memory-log.ts';
import type { Network } from './network.ts';
import type { FaultPlan } from './plan.ts';
import type { Process } from './world.ts';

export interface FaultContext {
  readonly cluster: Cluster;
  readonly network: Network;
  readonly gateways: readonly Process[];
  readonly restart: (name: string) => void;
}

/** Starts a fault. Those that last end after `forMs`, an election after at most 3 s. A clock keeps its step. */
export function startFault(fault: FaultPlan, forMs: number, context: FaultContext): void {
  const { cluster, network, gateways, restart } = context;
  const { world, database, broker } = cluster;
  cluster.tell(`fault for ${String(forMs)} ms: ${JSON.stringify(fault)}`);
  const processOf = (name: string) => [...cluster.processes(), ...gateways].find((one) => one.name === name);
  switch (fault.kind) {
    case 'kill': {
      const process = processOf(fault.process);
      if (process === undefined || process.state === 'dead') return;
      process.kill();
      network.cut(fault.process, forMs);
      world.after(forMs, () => {
        if (processOf(fault.process)?.state === 'dead') restart(fault.process);
      });
      return;
    }
    case 'freeze': {
      const process = processOf(fault.process);
      process?.freeze();
      world.after(forMs, () => process?.goOn());
      return;
    }
    case 'cut': {
      network.cut(fault.api, forMs, fault.gateway);
      return;
    }
    case 'stall': {
      network.stall(fault.api, forMs, fault.gateway);
      return;
    }
    case 'database':
    case 'log': {
      const troubles = fault.kind === 'database' ? cluster.databaseTroubles : cluster.logTroubles;
      troubles.start(fault.trouble, fault);
      world.after(forMs, () => troubles.end(fault));
      return;
    }
    case 'failover': {
      database.isMajorityAway = true;
      world.after(Math.min(forMs, 3_000), () => cluster.failOver());
      return;
    }
    case 'rebalance': {
      broker.groups().forEach((group) => group.rebalance());
      return;
    }
    case 'replay': {
      replay(cluster);
      return;
    }
    case 'poison': {
      poison(cluster);
      return;
    }
    case 'clock': {
      const process = processOf(fault.process);
      if (process !== undefined) process.skewMs = fault.byMs;
    }
  }
}

/** An operator publishes an old event again. */
function replay({ world, broker }: Cluster): void {
  const partition = world.random.below(partitionCount);
  const events = broker.eventsOf(deletionAcceptedTopic, partition);
  if (events.length === 0) return;
  const { key, headers, value } = world.pick(events);
  const event = { key, headers, value };
  broker.append(deletionAcceptedTopic, [event], [world.random.below(partitionCount)]);
}

/** Somebody publishes events that no relay has made: of jobs that nobody asked to delete, or of nothing. */
function poison({ world, broker, database }: Cluster): void {
  const [job] = [...database.jobs.values()].filter(({ deletionId }) => deletionId === undefined);
  const [deletion] = [...database.deletions.values()].map((stored) => stored.deletion);
  const claimed = { id: job?.id ?? 'job0000', claim: job?.claim ?? '1' };
  const data = {
    deletion_id: deletion?.id ?? 'none',
    account_id: deletion?.accountId ?? 'a0',
    part: 0,
    parts: world.chance(50) ? 1 : 2,
    jobs: [claimed],
  };
  const headers = {
    ce_id: `poison-${String(world.steps)}`,
    ce_type: deletionAcceptedTopic,
    ce_time: new Date(world.nowMs).toISOString(),
  };
  // An event that names a real deletion may be set aside together with its account.
  const isJson = world.chance(70);
  const value = Buffer.from(isJson ? JSON.stringify(data) : '{');
  const event = { key: isJson ? 'foreign' : 'poison', headers, value };
  broker.append(deletionAcceptedTopic, [event], [world.random.below(partitionCount)]);
}
