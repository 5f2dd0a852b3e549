import type { Outcome } from '@jobs-delete/gateway/deleter/answer';
import { Fault } from '@jobs-delete/runtime/fault';
import { Callers, describe, postings } from './callers.ts';
import type { Cluster } from './cluster.ts';
import { startFault } from './faults.ts';
import { Gateway, requestTimeoutMs, toRequest } from './gateway.ts';
import { slowestMs } from './link.ts';
import { Network } from './network.ts';
import { Oracle, type Asked } from './oracle.ts';
import type { AccountPlan, Plan } from './plan.ts';
import { Process, type World } from './world.ts';

/** After the faults, everything is completed within this time. The longest wait is that of a postponed deletion. */
export const endMs = 180_000;
/**
 * Jobs of accounts without trouble are removed within this time. An api that dies leaves its deletions to others for a lease. A
 * batch of a sick account may hold the next one for 17 s. A batch of a slow account may come before it
 * (docs/decisions/fair-removal.md).
 */
const removedMs = {
  any: Infinity,
  contest: Infinity,
  removal: Infinity,
  account: 25_000,
  api: 15_000,
  flood: 3_000,
};
const probeMs = 10_000;
/** A slow read that has begun before the end of the faults, and three reads more. */
const recoveryMs = 8_000;

function jobsLimit(jobs: number) {
  return { kind: 'jobs' as const, jobs };
}

/** The course of a plan: its callers, its faults, and what they must see. */
export class Play {
  readonly oracle: Oracle;
  readonly #plan: Plan;
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #network: Network;
  readonly #gateways: Gateway[] = [];
  readonly #callers: Callers;
  #openActions: number;

  constructor(plan: Plan, world: World, cluster: Cluster) {
    this.#plan = plan;
    this.#world = world;
    this.#cluster = cluster;
    this.#network = new Network(cluster);
    this.oracle = new Oracle(cluster, plan, removedMs[plan.kind]);
    const { oracle } = this;
    this.#callers = new Callers({
      kind: plan.kind,
      cluster,
      network: this.#network,
      gateways: this.#gateways,
      oracle,
    });
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
    const imports = accounts.map(async ({ id, jobs, delayMs, limit }) => {
      await operator.importJobs(id, postings(0, jobs), 0);
      const rules = { removalDelayMs: delayMs, limit: limit === undefined ? limit : jobsLimit(limit) };
      if (delayMs > 0 || limit !== undefined) await operator.setRules(id, rules);
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
    this.#cluster.endDeposed();
    this.#network.heal();
    for (const { process } of this.#gateways) process.goOn();
    for (const process of this.#cluster.processes()) {
      process.goOn();
      if (process.state === 'dead') this.#restart(process.name);
    }
  }

  isQuiet(): boolean {
    if (this.#isAsking() || this.#world.lateSteps > 0 || this.#cluster.database.due > 0) return false;
    return this.#cluster.broker.groups().every((group) => group.lag().every((events) => events === 0));
  }

  #isAsking(): boolean {
    return this.#callers.waiting > 0 || this.#openActions > 0;
  }

  describeRest(): string {
    const open = [...this.#cluster.database.deletions.values()].filter(
      ({ dueAtMs }) => dueAtMs !== undefined,
    );
    const [first] = open;
    const example = first && ` such as ${first.deletion.id}, which is ${first.deletion.state}`;
    return `${String(this.#callers.waiting)} callers wait, ${String(open.length)} deletions are open${example ?? ''}`;
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
    for (const { id } of accounts) void operator.setRules(id, { limit: undefined });
    this.oracle.limits.clear();
    let left = 0;
    // The gateways find out that all apis are well again.
    this.#openActions += 1;
    await this.#world.run(recoveryMs);
    const ask = async (account: AccountPlan, number: number, send: (asked: Asked) => Promise<Outcome>) => {
      left += 1;
      const jobIds = [`probe${String(number)}`];
      await operator.importJobs(account.id, [{ id: jobIds[0] ?? '', posting: {} }], 0);
      const asked = this.#callers.ask(account.id, jobIds, undefined);
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
        return void this.#callers.delete(this.#account(action.account), action);
      case 'cancel':
        return void this.#callers.cancel(this.#account(action.account).id);
      case 'read':
        return void this.#callers.read(this.#account(action.account));
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
