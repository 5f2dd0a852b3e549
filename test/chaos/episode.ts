import { setTimeout as delay } from 'node:timers/promises';
import { connectKafka, withAdmin } from '@jobs-delete/deleter-service/event-log/kafka/connect-kafka';
import { createSeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import type { JobLeft } from '../durability/aftermath.ts';
import { audit } from '../durability/audit.ts';
import { runBulkClient, runClient, type SentRequest } from '../durability/sent-requests.ts';
import { runJobsDelete } from '../harness/spawn-roles.ts';
import { createBalancer } from '../production/balancer.ts';
import { readClusterAftermath, untilClusterSettled, withDatabase } from '../production/cluster-aftermath.ts';
import type { Cluster } from '../production/cluster.ts';
import { targetsOf } from '../production/targets.ts';
import { drawPlan, type Plan } from './faults.ts';
import { smallAccounts, type Site } from './site.ts';

export interface Episode {
  readonly plan: Plan;
  /** Broken guarantees. */
  readonly problems: readonly string[];
  /** Requests that were first sent during the faults, and those of them whose first answer was 200 or 404. */
  readonly sent: number;
  readonly answered: number;
  /** From the end of the faults until no deletion and no event waited, including the load after the faults. */
  readonly drainedMs: number;
  /** The warnings and errors that the services logged during the episode. */
  readonly warnings: readonly string[];
}

export interface PlayOptions {
  /** The time of load before the faults. */
  readonly beforeMs: number;
  /** The time of load after the faults. */
  readonly afterMs: number;
  /** The backlog must be gone within this time after the faults, or after the time that a wrong clock has named. */
  readonly drainBoundMs: number;
  /** Gets the requests of an episode, which become more. */
  readonly onStart?: (requests: readonly SentRequest[]) => void;
  readonly onFaults?: (forMs: number) => void;
}

const thinkMs = 600;

/** Returns a function that plays episodes on the site, one after the other. */
export function createPlayer(site: Site, options: PlayOptions): (seed: number) => Promise<Episode> {
  const { cluster } = site;
  let last: Records = { deletionIds: [], ends: [] };
  /** Deleted events come back when the broker is killed. */
  const audited = new Set<string>();
  const defects = new Set<string>();
  return async (seed) => {
    const logged = cluster.replicas.map((replica) => replica.warnings().length);
    const { plan, requests, fromMs, untilMs, drainedMs } = await playPlan(seed, site, options);
    const clockErrorMs = Math.max(...plan.faults.map((fault) => fault.clockErrorMs));
    const aftermath = await readClusterAftermath(cluster, audited);
    const { code, stdout, stderr } = await runJobsDelete(['audit', '--older-than', '30s'], cluster.env);
    const newDefects = cluster.replicas
      .flatMap((replica) => [...replica.crashes(), ...replica.internalFaults()])
      .filter((defect) => !defects.has(defect));
    for (const defect of newDefects) defects.add(defect);
    const problems = [
      ...audit({ imported: site.scene.imported, requests, clockErrorMs }, aftermath),
      ...(code === 0 ? [] : [`jobs-delete audit: ${stdout}${stderr}`]),
      ...(drainedMs > options.drainBoundMs + clockErrorMs
        ? [`the backlog was drained after ${seconds(drainedMs)}`]
        : []),
      ...newDefects,
    ];
    await deleteRecords(cluster, last);
    const deletionIds = aftermath.deletions.map(({ id }) => id);
    for (const id of deletionIds) audited.add(id);
    last = { deletionIds, ends: await endsOfTopics(cluster) };
    await postAgain(site, aftermath.jobs);
    const during = requests
      .flatMap(({ attempts }) => attempts.slice(0, 1))
      .filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs < untilMs);
    const answered = during.filter(({ answer }) => answer?.status === 200 || answer?.status === 404);
    const warnings = cluster.replicas.flatMap(({ name, warnings: all }, index) =>
      all()
        .slice(logged[index])
        .map((line) => `${name}: ${line}`),
    );
    return { plan, problems, sent: during.length, answered: answered.length, drainedMs, warnings };
  };
}

/** Sends load before, during and after the faults, and waits until the backlog is drained. */
async function playPlan(seed: number, site: Site, options: PlayOptions) {
  const { beforeMs, afterMs, onStart, onFaults } = options;
  const { cluster, scene } = site;
  const requests: SentRequest[] = [];
  onStart?.(requests);
  const balancer = createBalancer();
  cluster.gateways.forEach((gateway) => balancer.add(gateway));
  const plan = drawPlan(
    seed,
    site,
    Object.values(targetsOf(cluster, site.mongo, site.kafka, balancer)).flat(),
  );
  const callers = scene.pools.map((of, index) => {
    const random = createSeededRandom(1_000 * seed + index);
    const isSmall = index < smallAccounts;
    const service = balancer.client(random, isSmall ? thinkMs : 4 * thinkMs);
    const name = `e${String(seed)}c${String(index)}x`;
    return (isSmall ? runClient : runBulkClient)(name, { ...of, next: 0 }, random, service, requests);
  });
  await delay(beforeMs);
  const fromMs = Date.now();
  onFaults?.(plan.forMs);
  for (const fault of plan.faults) await fault.begin();
  await delay(plan.forMs);
  const untilMs = Date.now();
  // One may end only after the other: a gateway does not start without its database.
  await Promise.all(plan.faults.map((fault) => fault.end()));
  const healedAt = performance.now();
  await delay(afterMs);
  balancer.end();
  await Promise.all(callers);
  await untilClusterSettled(cluster);
  return { plan, requests, fromMs, untilMs, drainedMs: performance.now() - healedAt };
}

/** The records of an episode. They are deleted after the next one, as retention does. */
interface Records {
  readonly deletionIds: readonly string[];
  readonly ends: readonly TopicEnd[];
}

interface TopicEnd {
  readonly topic: string;
  readonly partitions: { readonly partition: number; readonly offset: string }[];
}

async function deleteRecords(cluster: Cluster, { deletionIds, ends }: Records): Promise<void> {
  await withDatabase(cluster, (database) =>
    database.collection<{ _id: string }>('deletions').deleteMany({ _id: { $in: deletionIds } }),
  );
  await withAdmin(connectKafka(cluster.kafka).kafka, async (admin) => {
    for (const end of ends) {
      // Loads the metadata of the topic.
      await admin.fetchTopicOffsets(end.topic);
      await admin.deleteTopicRecords(end);
    }
  });
}

function endsOfTopics({ kafka: target }: Cluster): Promise<TopicEnd[]> {
  const { kafka, topicName } = connectKafka(target);
  return withAdmin(kafka, (admin) =>
    Promise.all(
      ([deletionAcceptedTopic, jobsDeletedTopic] as const).map(async (name) => {
        const topic = topicName(name);
        const offsets = await admin.fetchTopicOffsets(topic);
        return { topic, partitions: offsets.map(({ partition, high }) => ({ partition, offset: high })) };
      }),
    ),
  );
}

/** Posts all removed jobs again, under the same ids. No older deletion may remove them. */
async function postAgain({ cluster, scene }: Site, left: readonly JobLeft[]): Promise<void> {
  const present = new Set(left.map(({ accountId, jobId }) => `${accountId}/${jobId}`));
  const operator = await cluster.openOperator();
  for (const [accountId, jobIds] of scene.imported) {
    const missing = jobIds.filter((jobId) => !present.has(`${accountId}/${jobId}`));
    if (missing.length > 0) await operator.importJobs(accountId, missing);
  }
  await operator.close();
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

export function describeEpisode({ plan, problems, sent, answered, drainedMs }: Episode): string {
  const faults = plan.faults.map(({ kind, on, degree }) => `${kind} ${on}${degree}`).join('; ');
  return [
    `seed ${String(plan.seed)}: ${faults}, ${seconds(plan.forMs)}: `,
    `${share(answered, sent)} of ${String(sent)} answered, drained after ${seconds(drainedMs)}`,
    ...problems.map((problem) => `\n  FAILED: ${problem}`),
  ].join('');
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`;
}
