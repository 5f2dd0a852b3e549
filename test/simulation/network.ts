import { toGrpcError } from '@jobs-delete/deleter-service/grpc/grpc-error';
import { getDeletion } from '@jobs-delete/deleter-service/grpc/read-deletions';
import type { Outcome, OnOutcome } from '@jobs-delete/gateway/deleter/answer';
import type { Connect, Connection, LinkState } from '@jobs-delete/gateway/deleter/connection';
import type { HealthAnswer } from '@jobs-delete/proto/client-channel';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { Fault } from '@jobs-delete/runtime/fault';
import { isAnswered, type Api, type Cluster } from './cluster.ts';
import { nothing, type Process } from './world.ts';

const noAnswer: HealthAnswer = { kind: 'no-answer', reason: 'no answer' };
const notSimulated = () => Promise.reject(new Error('not simulated'));

/** The lines between gateways and apis. */
export class Network {
  readonly #cluster: Cluster;
  readonly #lines = new Set<Line>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  connect(gateway: Process): Connect {
    return (address) => {
      const line = new Line(this.#cluster, gateway, address);
      this.#lines.add(line);
      return line.connection;
    };
  }

  /** Breaks the lines to an api, and keeps them broken for a while. */
  cut(api: string, ms: number, gateway?: string): void {
    for (const line of this.#linesTo(api, gateway)) line.cut(ms);
  }

  /** Delays every message on the lines to an api. The lines still count as connected. */
  stall(api: string, ms: number, gateway?: string): void {
    for (const line of this.#linesTo(api, gateway)) line.stall(ms);
  }

  heal(): void {
    for (const line of this.#lines) {
      line.cut(0);
      line.stall(0);
    }
  }

  #linesTo(api: string, gateway: string | undefined): Line[] {
    return [...this.#lines].filter(
      (line) => line.address === api && (gateway === undefined || line.gateway.name === gateway),
    );
  }
}

class Line {
  readonly connection: Connection;
  readonly gateway: Process;
  readonly address: string;
  readonly #cluster: Cluster;
  /** The calls without an answer. */
  readonly #open = new Set<() => unknown>();
  #downUntilMs = 0;
  #stalledUntilMs = 0;
  #stalled: (() => unknown)[] = [];

  constructor(cluster: Cluster, gateway: Process, address: string) {
    this.#cluster = cluster;
    this.gateway = gateway;
    this.address = address;
    this.connection = {
      address,
      link: () => this.#link(),
      deleteJobs: (request, deadlineMs, onOutcome) =>
        this.#send(
          (api) => api.serve(request, Math.max(1, deadlineMs - gateway.clock.now())),
          deadlineMs - gateway.clock.now(),
          onOutcome,
        ),
      askHealth: (timeoutMs) =>
        this.#ask((api) => Promise.resolve(healthOf(api)), timeoutMs).catch(() => noAnswer),
      tryRead: (timeoutMs) =>
        this.#ask(({ store }) => isAnswered(store.findReceipt('none', 'none')), timeoutMs).catch(() => false),
      getDeletion: async (name, { deadlineMs, signal }) => {
        const request = { ...name, includeJobIds: false };
        const read = ({ store }: Api) => getDeletion(request, store);
        // Nothing encodes the message: it has the fields that a gateway decodes.
        return (await this.#ask(read, deadlineMs - gateway.clock.now(), signal)) as Deletion__Output;
      },
      cancelDeletion: notSimulated,
      watchDeletion: notSimulated,
      listJobs: notSimulated,
      close: () => undefined,
    };
  }

  cut(ms: number): void {
    const { world } = this.#cluster;
    this.#downUntilMs = world.nowMs + ms;
    if (ms > 0) for (const lose of [...this.#open]) world.after(world.between(0, 5), lose);
  }

  stall(ms: number): void {
    const { world } = this.#cluster;
    this.#stalledUntilMs = world.nowMs + ms;
    world.after(ms, () => this.#goOn());
  }

  /** Delivers what waits. */
  #goOn(): void {
    const { world } = this.#cluster;
    if (world.nowMs < this.#stalledUntilMs) return;
    const stalled = this.#stalled;
    this.#stalled = [];
    for (const arrive of stalled) world.after(world.between(0, 2), arrive);
  }

  #link(): LinkState {
    const api = this.#cluster.apis.get(this.address);
    const { nowMs } = this.#cluster.world;
    if (api === undefined || api.process.state === 'dead' || nowMs < this.#downUntilMs) return 'down';
    return nowMs < this.#downUntilMs + 100 ? 'connecting' : 'ready';
  }

  /** Carries a message in one direction. */
  #travel(arrive: () => unknown): void {
    const { world } = this.#cluster;
    if (world.nowMs < this.#stalledUntilMs) this.#stalled.push(arrive);
    else world.after(world.between(0, 2), arrive);
  }

  #send(serve: (api: Api) => Promise<Outcome>, timeoutMs: number, onOutcome: OnOutcome): void {
    const { world } = this.#cluster;
    const end = (outcome: Outcome, loss?: 'lost' | 'untouched') =>
      this.gateway.deliver(() => {
        if (!this.#open.delete(lose)) return nothing;
        onOutcome(outcome, loss);
        return undefined;
      });
    const lose = () => end(new Fault('unknown-outcome', 'the connection broke'), 'lost');
    this.#open.add(lose);
    if (this.#link() === 'down') {
      world.after(0, () => end(new Fault('unknown-outcome', 'no connection'), 'untouched'));
      return;
    }
    world.after(timeoutMs + 1_000, () => end(new Fault('unknown-outcome', 'no answer in time')));
    this.#travel(() => {
      const api = this.#cluster.apis.get(this.address);
      if (api === undefined || this.#link() === 'down') {
        lose();
        return;
      }
      const answer = async () => {
        const outcome = await serve(api);
        this.#travel(() => {
          if (this.#link() !== 'down') end(outcome);
        });
      };
      api.process.deliver(() => void answer());
    });
  }

  /** @throws ServiceError, Fault */
  #ask<Answer>(
    serve: (api: Api) => Promise<Answer>,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const end = (answer: Answer | Error) => {
        if (!this.#open.delete(lose)) return nothing;
        return this.gateway.deliver(() => {
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        });
      };
      const lose = () => end(toGrpcError(new Fault('unavailable', 'the connection broke')));
      this.#open.add(lose);
      signal?.addEventListener('abort', lose);
      this.#cluster.world.after(timeoutMs, () =>
        this.#open.has(lose) ? end(new Fault('unknown-outcome', 'no answer in time')) : nothing,
      );
      this.#travel(() => {
        const api = this.#cluster.apis.get(this.address);
        if (api === undefined || this.#link() === 'down') {
          lose();
          return;
        }
        const answer = async () => {
          const sent = await serve(api).catch(toGrpcError);
          this.#travel(() => end(sent));
        };
        api.process.deliver(() => void answer());
      });
    });
  }
}

function healthOf(api: Api): HealthAnswer {
  return api.isServing() ? { kind: 'serving' } : { kind: 'not-serving', reason: 'no database' };
}
