import { origin } from '@jobs-delete/deleter-service/testing/deletions';
import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Cluster } from './cluster.ts';
import { toRequest, type Gateway } from './gateway.ts';
import type { Network } from './network.ts';
import type { Asked, Oracle } from './oracle.ts';
import type { AccountPlan, DeleteAction, Kind } from './plan.ts';
import { Process, type World } from './world.ts';

/** Callers who have no trouble of their own wait no longer than this. */
const noticedMs = {
  any: Infinity,
  contest: Infinity,
  removal: Infinity,
  account: 2_000,
  api: 2_500,
  flood: 1_000,
};
/** A large request stays longer with an api that does not answer. */
const largeNoticedMs = { ...noticedMs, api: 4_500 };

/** Less than that of a gateway, so that deadlines pass during faults. */
const internalTimeoutMs = 3_000;

interface CallersOptions {
  readonly kind: Kind;
  readonly cluster: Cluster;
  readonly network: Network;
  readonly gateways: readonly Gateway[];
  readonly oracle: Oracle;
}

/** The callers of all accounts, and what they must see. */
export class Callers {
  /** The number of callers that wait for an answer. */
  waiting = 0;
  readonly #kind: Kind;
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #network: Network;
  readonly #gateways: readonly Gateway[];
  readonly #oracle: Oracle;
  readonly #internalCaller: Process;
  /** The deletions that callers know, by account. */
  readonly #known = new Map<string, string[]>();

  constructor({ kind, cluster, network, gateways, oracle }: CallersOptions) {
    this.#kind = kind;
    this.#world = cluster.world;
    this.#cluster = cluster;
    this.#network = network;
    this.#gateways = gateways;
    this.#oracle = oracle;
    this.#internalCaller = new Process('internal caller', cluster.world);
  }

  /** A caller without a key asks once. One with a key asks again after each fault, up to 30 times. */
  async delete(account: AccountPlan, { gateway, from, count, key }: DeleteAction): Promise<void> {
    this.waiting += 1;
    const { id } = account;
    const jobIds = postings(from, count).map((posting) => posting.id);
    for (let attempt = 1; ; attempt++) {
      const asked = this.ask(id, jobIds, key);
      const outcome = await (gateway === undefined
        ? this.#askApi(asked)
        : (this.#gateways[gateway] as Gateway).send(asked));
      this.#cluster.tell(`${id} gets ${describe(outcome)} for ${asked.deletionId}`);
      this.#oracle.answered(asked, outcome);
      this.#judgeIsolation(account, asked, outcome);
      if (!(outcome instanceof Fault)) {
        if (outcome.kind === 'accepted') this.#knownTo(id).push(outcome.deletionId);
        break;
      }
      if (key === undefined || attempt === 30) break;
      await this.#world.sleep(this.#world.between(300, 1_500));
    }
    this.waiting -= 1;
  }

  async cancel(accountId: string): Promise<void> {
    const known = this.#knownTo(accountId);
    if (known.length === 0) return;
    // The last ones may still wait for the end of their delay.
    const deletionId = this.#world.pick(known.slice(-5));
    const { store, process } = this.#world.pick([...this.#cluster.apis.values()]);
    const answer = await store
      .cancelDeletion({ deletionId, accountId }, process.clock.now(), origin)
      .catch((error: unknown) => ({ kind: String(error) }));
    this.#cluster.tell(`${accountId} cancels ${deletionId}: ${answer.kind}`);
  }

  /** Reads one deletion a few times, by any gateway. Some readers are of another account. */
  async read({ id, suffers }: AccountPlan): Promise<void> {
    const world = this.#world;
    const known = this.#knownTo(id);
    if (known.length === 0) return;
    this.waiting += 1;
    const deletionId = world.pick(known);
    const accountId = world.chance(20) ? 'other' : id;
    for (let left = world.between(1, 4); left > 0; left--) {
      const judge = this.#oracle.reads(deletionId, accountId);
      const answer = await world.pick(this.#gateways).read(accountId, deletionId);
      const text = answer instanceof Fault ? describe(answer) : (answer?.state ?? 'not found');
      this.#cluster.tell(`${accountId} reads ${deletionId}: ${text}`);
      if (!(answer instanceof Fault)) judge(answer);
      else if (!suffers && accountId === id)
        this.#oracle.fail(`the trouble is not that of ${id}, but its read gets ${text}`);
      await world.sleep(world.between(100, 800));
    }
    this.waiting -= 1;
  }

  #knownTo(accountId: string): string[] {
    const known = this.#known.get(accountId) ?? [];
    this.#known.set(accountId, known);
    return known;
  }

  ask(accountId: string, jobIds: readonly string[], key: string | undefined): Asked {
    const deletionId = this.#world.random.uuid();
    const asked = { deletionId, accountId, jobIds, key, atMs: this.#world.nowMs };
    const keyed = key === undefined ? '' : `, ${key}`;
    this.#cluster.tell(
      `${accountId} asks for ${String(jobIds.length)} from ${jobIds[0] ?? ''} on${keyed}: ${deletionId}`,
    );
    this.#oracle.asks(asked);
    return asked;
  }

  /** Asks one api, as internal callers do. */
  #askApi(asked: Asked): Promise<Outcome> {
    const { clock } = this.#internalCaller;
    const connection = this.#network.connect(this.#internalCaller)(
      this.#world.pick([...this.#cluster.apis.keys()]),
    );
    return new Promise((resolve) => {
      connection.deleteJobs(toRequest(asked), clock.now() + internalTimeoutMs, resolve);
    });
  }

  #judgeIsolation({ id, suffers }: AccountPlan, { atMs, deletionId, jobIds }: Asked, outcome: Outcome): void {
    if (suffers) return;
    if (outcome instanceof Fault || outcome.kind !== 'accepted')
      this.#oracle.fail(`the trouble is not that of ${id}, but ${deletionId} gets ${describe(outcome)}`);
    const waitedMs = this.#world.nowMs - atMs;
    const isLarge = jobIds.length >= largeRequestJobs;
    if (waitedMs > (isLarge ? largeNoticedMs : noticedMs)[this.#kind])
      this.#oracle.fail(`the trouble is not that of ${id}, but ${deletionId} waits ${String(waitedMs)} ms`);
  }
}

export function postings(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: (jobIds[from + index] ??= `job${String(from + index).padStart(4, '0')}`),
    posting: {},
  }));
}

/** All simulations share them: a map finds a known string sooner than a new one. */
const jobIds: string[] = [];

export function describe(outcome: Outcome): string {
  return outcome instanceof Fault ? `${outcome.code} (${outcome.message})` : outcome.kind;
}
