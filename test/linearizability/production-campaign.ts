import { reapReplicas } from '../harness/spawn-roles.ts';
import { createBalancer } from '../production/balancer.ts';
import { untilClusterSettled } from '../production/cluster-aftermath.ts';
import { createCluster } from '../production/cluster.ts';
import { killByPlan } from '../production/kill-by-plan.ts';
import { targetsOf } from '../production/targets.ts';
import { startKafka } from '../servers/start-kafka.ts';
import { startMongo } from '../servers/start-mongo.ts';
import { connectTo, createHistoryAccounts, startClients, type Campaign } from './campaign.ts';

/** Longer than an election takes: a primary that was frozen wakes up as a deposed one. */
const maxFrozenMs = 15_000;

/** Kills and freezes services and servers, and cuts the lines between gateways and apis. */
export async function runProductionCampaign({
  seed,
  kills,
  pauseMs,
  clients,
  history,
}: Campaign): Promise<void> {
  const [mongo, kafka] = await Promise.all([startMongo({ members: 3 }), startKafka()]);
  try {
    const cluster = await createCluster({
      mongodbUrl: mongo.url,
      kafkaUrl: `kafka://${kafka.brokers.join(',')}`,
      replicas: { gateway: 2, api: 2, relay: 2, worker: 2 },
      withLines: true,
    });
    const operator = await cluster.openOperator();
    // Their calls do not pass the lines.
    const apis = cluster.apis.map(({ address }) => connectTo(address));
    const accounts = await createHistoryAccounts(operator);
    await cluster.startAll();
    const service = createBalancer();
    cluster.gateways.forEach((gateway) => service.add(gateway));
    const ofClients = { seed, clients, history, accounts, operator, apis };
    const load = startClients({ ...ofClients, service: service.client() });
    const targets = targetsOf(cluster, mongo, kafka, service);
    const end = () => service.end();
    await Promise.all([load, killByPlan(targets, { seed, kills, pauseMs, maxFrozenMs }).finally(end)]);
    await untilClusterSettled(cluster);
    apis.forEach((api) => api.close());
    await Promise.all([operator.close(), ...cluster.lines.map((line) => line.close())]);
  } finally {
    await reapReplicas();
    await Promise.all([mongo.stop(), kafka.stop()]);
  }
}
