import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '@jobs-delete/deleter-service/testing/seeded-random';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { Connection } from '@jobs-delete/gateway/deleter/connection';
import { hasCode } from '@jobs-delete/proto/client-channel';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Whereabouts } from '../durability/sent-requests.ts';
import { callerHeaders, jsonBody, jsonPath, send, xmlBody, xmlPath } from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';
import { currentTest } from '../harness/until.ts';
import {
  readDeletionAnswer,
  readStatusAnswer,
  unknown,
  type History,
  type Question,
  type Told,
} from './history.ts';

export interface GroupOptions {
  readonly history: History;
  readonly service: Whereabouts;
  /** Connections to the apis, for calls without a gateway. */
  readonly apis: readonly Connection[];
  readonly store: Pick<Store, 'importJobs'>;
  readonly account: TestAccount;
  readonly random: SeededRandom;
  /** Unique among all clients. */
  readonly number: number;
}

const jobsOfGroup = 6;
const callersOfGroup = 3;
const callsOfCaller = 12;
/** More calls without an answer would make the check slow. */
const maxUnknown = 6;
const grpcTimeoutMs = 4_000;

/** Plays one group after another until the service ends. All calls of a group are about the same few jobs, and race. */
export async function runGroups(options: GroupOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: callersOfGroup });
  try {
    for (let count = 0; options.service.goesOn(); count++) {
      const name = `g${String(options.number)}n${String(count)}`;
      const ids = Array.from({ length: jobsOfGroup }, (_, index) => `${name}j${String(index)}`);
      await importUntilKnown(ids, options);
      const group = { ...options, agent, ids, keys: keysOf(name, ids), deletions: [], unknown: 0 };
      await Promise.all(
        Array.from({ length: callersOfGroup }, (_, index) =>
          runCaller(group, options.number * callersOfGroup + index),
        ),
      );
    }
  } finally {
    agent.destroy();
  }
}

interface Group extends GroupOptions {
  readonly agent: Agent;
  readonly ids: readonly string[];
  /** The ids that each idempotency key belongs to. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** Deletions that a caller knows, or has drawn the id of. */
  readonly deletions: { readonly id: string; readonly ids: readonly string[] }[];
  unknown: number;
}

function keysOf(name: string, ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map([
    [`${name}k1`, ids.slice(0, 2)],
    [`${name}k2`, ids.slice(1, 4)],
    [`${name}k3`, ids.slice(4)],
  ]);
}

async function importUntilKnown(ids: readonly string[], { store, account, history }: GroupOptions) {
  const postings = ids.map((id) => ({ id, posting: {} }));
  while (!currentTest.isOver) {
    const isDone = await store.importJobs(account.accountId, postings, Date.now()).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    await delay(50);
  }
  history.exist(account.accountId, ids);
}

async function runCaller(group: Group, client: number): Promise<void> {
  for (let count = 0; count < callsOfCaller && group.unknown < maxUnknown; count++) {
    const [question, perform] = drawCall(group);
    const told = await group.history.record(client, question, perform);
    if (told === unknown) group.unknown += 1;
    if (told?.answer !== undefined && !group.deletions.some(({ id }) => id === told.answer))
      group.deletions.push({ id: told.answer, ids: question.ids ?? [] });
  }
}

type DrawnCall = readonly [Question, () => Promise<Told | undefined>];

function drawCall(group: Group): DrawnCall {
  const { random, deletions } = group;
  const chance = random.fraction();
  const known = deletions[random.below(Math.max(1, deletions.length))];
  if (chance < 0.2) return deleteByHttp(drawIds(group), undefined, group);
  if (chance < 0.38) return deleteWithKey(group);
  if (chance < 0.5) return deleteByGrpc(group, known);
  if (chance < 0.65) return check(drawIds(group), group);
  if (chance < 0.75 || known === undefined) return importOne(group);
  if (chance < 0.83) return cancel(known.id, group);
  return chance < 0.92 ? readByHttp(known.id, group) : readByGrpc(known.id, group);
}

function drawIds({ random, ids }: Group): readonly string[] {
  const from = random.below(ids.length);
  return ids.slice(from, from + 1 + random.below(3));
}

function deleteWithKey(group: Group): DrawnCall {
  const { random, keys } = group;
  const [key = '', ids = []] = [...keys][random.below(keys.size)] ?? [];
  // Now and then a key is sent with other ids.
  return deleteByHttp(random.fraction() < 0.9 ? ids : drawIds(group), key, group);
}

function deleteByHttp(ids: readonly string[], key: string | undefined, group: Group): DrawnCall {
  return [
    { account: group.account.accountId, op: 'delete', ids, key },
    () => sendDeletion('', ids, group, key === undefined ? {} : { 'Idempotency-Key': key }),
  ];
}

function check(ids: readonly string[], group: Group): DrawnCall {
  return [
    { account: group.account.accountId, op: 'check', ids },
    () => sendDeletion('-sandbox', ids, group, {}),
  ];
}

async function sendDeletion(
  suffix: string,
  ids: readonly string[],
  { account, agent, random, service }: Group,
  headers: Readonly<Record<string, string>>,
): Promise<Told | undefined> {
  const isJson = random.fraction() < 0.5;
  const answer = await send(await service.baseUrl(), {
    path: (isJson ? jsonPath : xmlPath).replace('/v1', `/v1${suffix}`),
    headers: { ...callerHeaders(account, isJson ? 'json' : 'xml'), ...headers },
    body: isJson ? jsonBody(ids) : xmlBody(ids),
    agent,
  }).catch(() => undefined);
  return readDeletionAnswer(answer);
}

function readByHttp(deletion: string, group: Group): DrawnCall {
  return [
    { account: group.account.accountId, op: 'status', deletion },
    () => sendStatus('GET', deletion, group),
  ];
}

function cancel(deletion: string, group: Group): DrawnCall {
  return [
    { account: group.account.accountId, op: 'cancel', deletion },
    () => sendStatus('DELETE', deletion, group),
  ];
}

async function sendStatus(
  method: string,
  deletion: string,
  { account, agent, service }: Group,
): Promise<Told> {
  const call = { method, path: `/v1/deletions/${deletion}`, headers: callerHeaders(account), agent };
  return readStatusAnswer(await send(await service.baseUrl(), call).catch(() => undefined));
}

/** Draws the deletion's id, or repeats a call with an id that is known. */
function deleteByGrpc(group: Group, known: Group['deletions'][number] | undefined): DrawnCall {
  const { account, random, deletions } = group;
  const isRepetition = known !== undefined && random.fraction() < 0.3;
  const { id, ids } = isRepetition ? known : { id: randomUUID(), ids: drawIds(group) };
  if (!isRepetition) deletions.push({ id, ids });
  const request = { accountId: account.accountId, jobIds: [...ids], deletionId: id, dryRun: false };
  return [
    { account: account.accountId, op: 'delete', ids, deletion: id },
    () =>
      new Promise((resolve) => {
        drawApi(group).deleteJobs(request, Date.now() + grpcTimeoutMs, (outcome) => {
          if (outcome instanceof Fault) resolve(unknown);
          else if (outcome.kind === 'accepted')
            resolve({ outcome: outcome.replayed ? 'replayed' : 'accepted', answer: outcome.deletionId });
          else if (outcome.kind === 'jobs-not-found')
            resolve({ outcome: 'unavailable', named: outcome.positions.map((at) => ids[at] ?? '') });
          else resolve(outcome.kind === 'key-reused' ? { outcome: 'key-reused' } : undefined);
        });
      }),
  ];
}

const statesByGrpc: Readonly<Record<string, string>> = {
  DELETION_STATE_COMPLETED: 'completed',
  DELETION_STATE_CANCELLED: 'cancelled',
};

function readByGrpc(deletion: string, group: Group): DrawnCall {
  const { account } = group;
  const name = { accountId: account.accountId, deletionId: deletion };
  return [
    { account: account.accountId, op: 'status', deletion },
    async () => {
      try {
        const found = await drawApi(group).getDeletion(name, { deadlineMs: Date.now() + grpcTimeoutMs });
        return { outcome: statesByGrpc[found.state] ?? 'queued' };
      } catch (error) {
        return hasCode(error, status.NOT_FOUND) ? { outcome: 'missing' } : unknown;
      }
    },
  ];
}

function drawApi({ apis, random }: Group): Connection {
  const api = apis[random.below(apis.length)];
  if (api === undefined) throw new Error('no api');
  return api;
}

function importOne({ account, ids, random, store }: Group): DrawnCall {
  const id = ids[random.below(ids.length)] ?? '';
  return [
    { account: account.accountId, op: 'import', ids: [id] },
    async () => {
      const call = store.importJobs(account.accountId, [{ id, posting: {} }], Date.now());
      return call.then(
        ({ imported }) => ({ outcome: imported === 1 ? 'new' : 'existing' }),
        () => unknown,
      );
    },
  ];
}
