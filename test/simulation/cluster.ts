import {
  createAcceptDeletion,
  type AcceptDeletion,
} from '@jobs-delete/deleter-service/deletion/accept-deletion';
import { createRuleReader } from '@jobs-delete/deleter-service/deletion/read-rules';
import { startRelay } from '@jobs-delete/deleter-service/deletion/relay-outbox';
import {
  startRemovalWorker,
  type RemovalWorkerOptions,
} from '@jobs-delete/deleter-service/deletion/remove-jobs';
import { toGrpcError } from '@jobs-delete/deleter-service/grpc/grpc-error';
import { serveDeleteJobs } from '@jobs-delete/deleter-service/grpc/serve-delete-jobs';
import { groupCommit } from '@jobs-delete/deleter-service/store/group-commit';
import { outcomeOf, type Outcome } from '@jobs-delete/gateway/deleter/answer';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import { Link, Troubles } from './link.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryBroker, openMemoryLog } from './memory-log.ts';
import { openMemoryStore, type MemoryStore } from './memory-store.ts';
import { Process, type World } from './world.ts';

/** Smaller than in production, so that few requests reach the bounds. */
const bounds = {
  group: { maxGroupJobs: 40, secondFromJobs: 20, maxSmallJobs: 100, maxLargeJobs: 900 },
  relay: { maxQueuedJobs: 600, maxOpenJobs: { large: 600, small: 60 }, maxBatchDeletions: 10 },
};
const checkTimeoutMs = 2_000;
/** An open deletion is published again after this time. No event may be lost, so the simulation never waits so long. */
const overdueMs = 600_000;

/** An api with the role relay. */
export interface Api {
  readonly process: Process;
  readonly store: MemoryStore;
  /** Returns whether its database has answered a check in time. Starts the next check once a second. */
  isServing(): boolean;
  /** Serves a request as the stream of the service does. */
  serve(request: DeleteJobsRequest, timeoutMs: number): Promise<Outcome>;
}

/** The servers that outlive the processes, and the processes by their names. */
export class Cluster {
  readonly world: World;
  readonly database: MemoryDatabase;
  readonly databaseTroubles = new Troubles();
  readonly broker: MemoryBroker;
  readonly logTroubles = new Troubles();
  readonly apis = new Map<string, Api>();
  readonly workers = new Map<string, Process>();
  readonly operator: MemoryStore;
  /** The old primary, for each process that still takes it for the primary. */
  readonly #deposed = new Map<Process, MemoryDatabase>();
  /** The events so far, one line each, for the report of a failure. */
  readonly story: string[] = [];

  constructor(world: World) {
    this.world = world;
    this.database = new MemoryDatabase(world);
    this.broker = new MemoryBroker(world, this.logTroubles);
    this.operator = this.#openStore(new Process('operator', world));
  }

  tell(text: string): void {
    this.story.push(`${String(this.world.nowMs - this.world.startMs).padStart(7)} ms  ${text}`);
  }

  startApi(name: string): void {
    const process = new Process(name, this.world);
    const { clock } = process;
    const { random } = this.world;
    const store = this.#openStore(process);
    const onError = (error: unknown, attempt: number) =>
      this.tell(`${name}: a publication fails (${String(attempt)}): ${String(error)}`);
    const relay = startRelay({
      ...bounds.relay,
      maxJobsPerEvent: this.world.maxEventJobs,
      store,
      clock,
      random,
      onError,
      overdueMs,
      lingerMs: 20,
      recordAfterMs: 2_000,
      leaseMs: 10_000,
      eventLog: this.#openLog(process),
    });
    const accept = createAcceptDeletion({
      relay,
      clock,
      random,
      maxJobsPerRequest: 10_000,
      store: groupCommit(store, { clock, ...bounds.group }),
      readRules: createRuleReader({ store, clock }),
    });
    this.apis.set(name, {
      process,
      store,
      isServing: followDatabase(store, process),
      serve: (request, ms) => serve(request, clock.now() + ms, accept),
    });
  }

  async startWorker(name: string): Promise<void> {
    const process = new Process(name, this.world);
    this.workers.set(name, process);
    const options: RemovalWorkerOptions = {
      eventLog: this.#openLog(process),
      store: this.#openStore(process),
      clock: process.clock,
      random: this.world.random,
      jobDeletedEvents: true,
      onError: (error, attempt) =>
        this.tell(`${name}: a removal fails (${String(attempt)}): ${String(error)}`),
      onPostponed: (accountId) => this.tell(`${name}: postpones the removals of ${accountId}`),
      onDeadLetter: ({ id, reason }) => this.tell(`${name}: ${id} goes to the dead letters: ${reason}`),
    };
    // A start waits for the event log.
    while ((await startRemovalWorker(options).catch(() => undefined)) === undefined)
      await process.clock.sleep(1_000);
  }

  /** Elects another primary. Some processes do not notice, until the old one does. */
  failOver(): void {
    const { database, world } = this;
    if (database.isMajorityAway) {
      this.endDeposed();
      const old = database.deposed();
      database.failOver();
      for (const process of this.processes()) if (world.chance(30)) this.#deposed.set(process, old);
      this.tell(`an election, without notice of ${[...this.#deposed.keys()].map(({ name }) => name).join()}`);
      world.after(world.between(100, 8_000), () => {
        if ([...this.#deposed.values()].includes(old)) this.endDeposed();
      });
    }
    database.heal();
  }

  /** The old primary steps down. */
  endDeposed(): void {
    const old = new Set(this.#deposed.values());
    this.#deposed.clear();
    for (const database of old) database.failOver();
  }

  processes(): Process[] {
    return [...[...this.apis.values()].map(({ process }) => process), ...this.workers.values()];
  }

  #openStore(process: Process): MemoryStore {
    return openMemoryStore(
      () => this.#deposed.get(process) ?? this.database,
      new Link(process, this.databaseTroubles),
    );
  }

  #openLog(process: Process) {
    const { broker, logTroubles } = this;
    return openMemoryLog(broker, process, new Link(process, logTroubles));
  }
}

function followDatabase(store: MemoryStore, { clock, world }: Process): Api['isServing'] {
  let isServing = true;
  let nextAtMs = 0;
  const check = async () => {
    const late = clock.sleep(checkTimeoutMs).then(() => false);
    isServing = await Promise.race([isAnswered(store.check()), late]);
    nextAtMs = world.nowMs + 1_000;
  };
  return () => {
    if (nextAtMs <= world.nowMs) {
      nextAtMs = Infinity;
      void check();
    }
    return isServing;
  };
}

/** Resolves to false if the call fails. */
export function isAnswered(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}

/** Goes through the answers of the service and their decoding in the gateway. */
async function serve(
  request: DeleteJobsRequest,
  deadlineMs: number,
  accept: AcceptDeletion,
): Promise<Outcome> {
  const received = {
    accountId: '',
    jobIds: [],
    dryRun: false,
    idempotencyKey: '',
    deletionId: '',
    ...request,
    origin: null,
  };
  try {
    const response = await serveDeleteJobs(received, deadlineMs, accept);
    return outcomeOf({ response: response as DeleteJobsResponse__Output });
  } catch (error) {
    return outcomeOf({ error: toGrpcError(error).status });
  }
}
