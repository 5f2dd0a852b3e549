import { origin } from '@jobs-delete/deleter-service/testing/deletions';
import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { largeRequestJobs } from '@jobs-delete/proto/large-request';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Cluster } from './cluster.ts';
import { startFault } from './faults.ts';
import { Gateway, requestTimeoutMs, toRequest } from './gateway.ts';
import { slowestMs } from './link.ts';
import { Network } from './network.ts';
import { Oracle, type Asked } from './oracle.ts';
import type { AccountPlan, DeleteAction, Plan } from './plan.ts';
import { Process, type World } from './world.ts';

/** After the faults, everything is completed within this time. The longest wait is that of a postponed deletion. */
export const endMs = 180_000;
/** Callers who have no trouble of their own wait no longer than this. */
const noticedMs = { any: Infinity, contest: Infinity, account: 2_000, api: 2_500, flood: 1_000 };
/** A large request stays longer with an api that does not answer. */
const largeNoticedMs = { ...noticedMs, api: 4_500 };
/**
 * Jobs of accounts without trouble are removed within this time. An api that dies leaves its deletions to others for a lease. A
 * batch with a sick account may hold the next one for 17 s (docs/decisions/fair-removal.md).
 */
const removedMs = { any: Infinity, contest: Infinity, account: 20_000, api: 15_000, flood: 3_000 };
/** Less than that of a gateway: within the time of a fault, the deadline comes. */
const internalTimeoutMs = 3_000;
const probeMs = 10_000;
/** A slow read that has begun before the end of the faults, and three reads more. */
const recoveryMs = 8_000;

/** The course of a plan: its callers, its faults, and what they must see. */
export class Play {
  readonly oracle: Oracle;
  readonly #plan: Plan;
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #network: Network;
  readonly #gateways: Gateway[] = [];
  readonly #internalCaller: Process;
  /** The deletions that callers know, by account. */
  readonly #known = new Map<string, string[]>();
  #waitingCallers = 0;
  #openActions: number;

  constructor(plan: Plan, world: World, cluster: Cluster) {
    this.#plan = plan;
    this.#world = world;
    this.#cluster = cluster;
    this.#network = new Network(cluster);
    this.#internalCaller = new Process('internal caller', world);
    this.oracle = new Oracle(cluster, plan, removedMs[plan.kind]);
    this.#openActions = plan.actions.length;
  }

  async start(): Promise<void> {
    const { apis, workers, gateways, accounts, actions } = this.#plan;
    const names = Array.from({ length: apis }, (_, index) => `api-${String(index)}`);
    for (const name of names) this.#cluster.startApi(name);
    for (let index = 0; index < workers; index++) void this.#cluster.startWorker(`worker-${String(index)}`);
    for (let index = 0; index < gateways; index++) {
      const process = new Process(`gateway-${String(index)}`, this.#world);
      this.#gateways.push(new Gateway(process, this.#network, names, () => this.#isAsking()));
    }
    const { operator } = this.#cluster;
    const imports = accounts.map(async ({ id, jobs, delayMs }) => {
      await operator.importJobs(id, postings(0, jobs), 0);
      if (delayMs > 0) await operator.setRules(id, { removalDelayMs: delayMs });
    });
    let isReady = false;
    void Promise.all(imports).then(() => (isReady = true));
    await this.#world.run(1_000, () => isReady);
    this.#watchMembers();
    for (const action of actions)
      this.#world.after(action.atMs, () => {
        this.#openActions -= 1;
        this.#run(action);
      });
  }

  isOver(): boolean {
    return this.oracle.problem !== undefined;
  }

  /** Ends every fault that lasts. */
  heal(): void {
    this.#cluster.tell('all faults end');
    this.#cluster.databaseTroubles.endAll();
    this.#cluster.logTroubles.endAll();
    this.#cluster.database.heal();
    this.#network.heal();
    for (const { process } of this.#gateways) process.goOn();
    for (const process of this.#cluster.processes()) {
      process.goOn();
      if (process.state === 'dead') this.#restart(process.name);
    }
  }

  isQuiet(): boolean {
    if (this.#isAsking()) return false;
    for (const { dueAtMs } of this.#cluster.database.deletions.values())
      if (dueAtMs !== undefined) return false;
    return this.#cluster.broker.groups().every((group) => group.lag().every((events) => events === 0));
  }

  #isAsking(): boolean {
    return this.#waitingCallers > 0 || this.#openActions > 0;
  }

  describeRest(): string {
    const open = [...this.#cluster.database.deletions.values()].filter(
      ({ dueAtMs }) => dueAtMs !== undefined,
    );
    const [first] = open;
    const example = first && ` such as ${first.deletion.id}, which is ${first.deletion.state}`;
    return `${String(this.#waitingCallers)} callers wait, ${String(open.length)} deletions are open${example ?? ''}`;
  }

  /** Half of the receipts expire. They live for days, so no call of before is on its way any more. */
  async expire(): Promise<void> {
    await this.#world.run(2 * slowestMs);
    const expired = this.#cluster.operator.expireReceipts(
      0,
      Math.ceil(this.#cluster.database.deletions.size / 2),
    );
    let isExpired = false;
    void expired.then(() => (isExpired = true));
    await this.#world.run(1_000, () => isExpired);
  }

  /** Every gateway and every api works again, and keeps nothing of the past. */
  async probe(): Promise<void> {
    const { accounts } = this.#plan;
    const { operator, apis } = this.#cluster;
    let left = 0;
    // The gateways find out that all apis are well again.
    this.#openActions += 1;
    await this.#world.run(recoveryMs);
    const ask = async (account: AccountPlan, number: number, send: (asked: Asked) => Promise<Outcome>) => {
      left += 1;
      const jobIds = [`probe${String(number)}`];
      await operator.importJobs(account.id, [{ id: jobIds[0] ?? '', posting: {} }], 0);
      const asked = this.#ask(account.id, jobIds, undefined);
      const outcome = await send(asked);
      this.oracle.answered(asked, outcome);
      if (outcome instanceof Fault || outcome.kind !== 'accepted')
        this.oracle.fail(`when all is well, ${account.id} gets ${describe(outcome)}`);
      left -= 1;
    };
    let number = 0;
    for (const account of accounts.slice(0, 6)) {
      for (const { serve } of apis.values())
        void ask(account, ++number, (asked) => serve(toRequest(asked), requestTimeoutMs));
      for (const gateway of this.#gateways) void ask(account, ++number, (asked) => gateway.send(asked));
    }
    await this.#world.run(probeMs, () => left === 0 || this.isOver());
    if (left > 0) this.oracle.fail(`when all is well, ${String(left)} requests get no answer`);
    this.#openActions -= 1;
    await this.#world.run(endMs, () => this.isQuiet() || this.isOver());
    if (!this.isQuiet()) this.oracle.fail(`when all is well, ${this.describeRest()}`);
    await this.#world.run(100);
    this.oracle.end();
    this.#judgeReplicas();
  }

  /** Nothing is wrong with an api that is only busy, or that works again. */
  #judgeReplicas(): void {
    for (const { pool, process } of this.#gateways)
      for (const replica of pool.replicas())
        if (replica.trouble() !== undefined)
          this.oracle.fail(
            `${process.name} calls ${replica.connection.address} sick: ${String(replica.trouble())}`,
          );
  }

  #run(action: Plan['actions'][number]): void {
    switch (action.kind) {
      case 'delete':
        return void this.#delete(action);
      case 'cancel':
        return void this.#cancel(this.#account(action.account).id);
      case 'post': {
        const { id } = this.#account(action.account);
        this.#cluster.tell(`${id} posts ${String(action.count)} jobs from ${String(action.from)} on`);
        return void this.#cluster.operator
          .importJobs(id, postings(action.from, action.count), 0)
          .catch(() => undefined);
      }
      case 'fault': {
        startFault(action.fault, action.forMs, {
          cluster: this.#cluster,
          network: this.#network,
          restart: (name) => this.#restart(name),
          gateways: this.#gateways.map(({ process }) => process),
        });
        return;
      }
    }
  }

  /** A caller without a key asks once. One with a key asks again after each fault, up to 30 times. */
  async #delete({ gateway, account, from, count, key }: DeleteAction): Promise<void> {
    this.#waitingCallers += 1;
    const { id } = this.#account(account);
    const jobIds = postings(from, count).map((posting) => posting.id);
    for (let attempt = 1; ; attempt++) {
      const asked = this.#ask(id, jobIds, key);
      const outcome = await (gateway === undefined
        ? this.#askApi(asked)
        : (this.#gateways[gateway] as Gateway).send(asked));
      this.#cluster.tell(`${id} gets ${describe(outcome)} for ${asked.deletionId}`);
      this.oracle.answered(asked, outcome);
      this.#judgeIsolation(this.#account(account), asked, outcome);
      if (!(outcome instanceof Fault)) {
        if (outcome.kind === 'accepted')
          this.#known.set(id, [...(this.#known.get(id) ?? []), outcome.deletionId]);
        break;
      }
      if (key === undefined || attempt === 30) break;
      await this.#world.sleep(this.#world.between(300, 1_500));
    }
    this.#waitingCallers -= 1;
  }

  async #cancel(accountId: string): Promise<void> {
    const known = this.#known.get(accountId) ?? [];
    if (known.length === 0) return;
    const deletionId = this.#world.pick(known);
    const { store, process } = this.#world.pick([...this.#cluster.apis.values()]);
    const answer = await store
      .cancelDeletion({ deletionId, accountId }, process.clock.now(), origin)
      .catch((error: unknown) => ({ kind: String(error) }));
    this.#cluster.tell(`${accountId} cancels ${deletionId}: ${answer.kind}`);
  }

  #ask(accountId: string, jobIds: readonly string[], key: string | undefined): Asked {
    const deletionId = this.#world.random.uuid();
    const asked = { deletionId, accountId, jobIds, key, atMs: this.#world.nowMs };
    const keyed = key === undefined ? '' : `, ${key}`;
    this.#cluster.tell(
      `${accountId} asks for ${String(jobIds.length)} from ${jobIds[0] ?? ''} on${keyed}: ${deletionId}`,
    );
    this.oracle.asks(asked);
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
      this.oracle.fail(`the trouble is not that of ${id}, but ${deletionId} gets ${describe(outcome)}`);
    const waitedMs = this.#world.nowMs - atMs;
    const isLarge = jobIds.length >= largeRequestJobs;
    if (waitedMs > (isLarge ? largeNoticedMs : noticedMs)[this.#plan.kind])
      this.oracle.fail(`the trouble is not that of ${id}, but ${deletionId} waits ${String(waitedMs)} ms`);
  }

  #restart(name: string): void {
    this.#cluster.tell(`${name} starts again`);
    if (name.startsWith('api')) this.#cluster.startApi(name);
    else void this.#cluster.startWorker(name);
  }

  #watchMembers(): void {
    for (const group of this.#cluster.broker.groups()) group.watchMembers();
    if (this.#plan.kind === 'flood') this.#judgeReplicas();
    this.#world.after(1_000, () => this.#watchMembers());
  }

  #account(index: number): AccountPlan {
    return this.#plan.accounts[index] as AccountPlan;
  }
}

function postings(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: `job${String(from + index).padStart(4, '0')}`,
    posting: {},
  }));
}

function describe(outcome: Outcome): string {
  return outcome instanceof Fault ? `${outcome.code} (${outcome.message})` : outcome.kind;
}
