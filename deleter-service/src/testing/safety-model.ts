import {
  countAccepted,
  createLimitModel,
  judgeLimit,
  passLimitTime,
  resize,
  type LimitModel,
  type LimitPrecision,
} from './limit-model.ts';

/**
 * The oracle of the safety simulation: says what every answer of a store must be, one event after the other. It shares no code
 * with the stores, and knows from their contract only what callers can see.
 */

export interface ModelRequest {
  readonly deletionId: string;
  readonly accountId: string;
  readonly jobIds: readonly string[];
  readonly key: string | undefined;
  readonly dryRun: boolean;
  readonly delayMs: number;
  readonly atMs: number;
}

export type AcceptAnswer =
  | { readonly kind: 'accepted'; readonly id: string; readonly replayed: boolean }
  | { readonly kind: 'jobs-not-found'; readonly positions: readonly number[] }
  | { readonly kind: 'limit-exceeded'; readonly limit: number; readonly used: number }
  | { readonly kind: 'key-reused' | 'would-be-accepted' };

export type SafetyEvent =
  | { readonly kind: 'accept'; readonly request: ModelRequest; readonly answer: AcceptAnswer }
  | {
      readonly kind: 'cancel';
      readonly deletionId: string;
      readonly accountId: string;
      readonly atMs: number;
      readonly answer: 'cancelled' | 'not-cancellable' | 'not-found';
    }
  | {
      readonly kind: 'lease';
      readonly atMs: number;
      readonly untilMs: number;
      readonly answer: readonly { readonly id: string; readonly state: string }[];
    }
  /** `removed` is undefined if the part was refused. */
  | { readonly kind: 'remove'; readonly deletionId: string; readonly removed: number | undefined }
  | { readonly kind: 'record' | 'announce'; readonly deletionId: string; readonly limitAtMs: number }
  | { readonly kind: 'post'; readonly accountId: string; readonly jobIds: readonly string[] }
  | { readonly kind: 'expire'; readonly retentionMs: number; readonly limitAtMs: number }
  | { readonly kind: 'states'; readonly answer: ReadonlyMap<string, string | undefined> };

interface DeletionRecord {
  readonly request: ModelRequest;
  readonly postings: readonly number[];
  state: 'waiting' | 'begun' | 'completed' | 'cancelled';
  /** Undefined once nothing is to be published. */
  dueAtMs: number | undefined;
  endedAtMs: number | undefined;
}

interface Account {
  /** Maps an id to the number of its posting. */
  readonly jobs: Map<string, number>;
  readonly limit: LimitModel;
}

export interface SafetyModel {
  readonly accounts: Map<string, Account>;
  readonly records: Map<string, DeletionRecord>;
  postings: number;
}

export function createSafetyModel(accountIds: readonly string[], nowMs: number): SafetyModel {
  const account = (): Account => ({ jobs: new Map(), limit: createLimitModel(nowMs) });
  const accounts = new Map(accountIds.map((id) => [id, account()]));
  return { accounts, records: new Map(), postings: 0 };
}

export function limitOf(model: SafetyModel, accountId: string): LimitModel {
  return accountOf(model, accountId).limit;
}

/** Tells the time by which limits are kept. */
export function passTime({ accounts }: SafetyModel, nowMs: number): void {
  for (const { limit } of accounts.values()) passLimitTime(limit, nowMs);
}

/** Applies the event to the model. @returns what is wrong with its answer */
export function judge(model: SafetyModel, event: SafetyEvent, precision: LimitPrecision): string | undefined {
  switch (event.kind) {
    case 'accept':
      return judgeAccept(model, event.request, event.answer, precision);
    case 'cancel':
      return judgeCancel(model, event);
    case 'lease':
      return judgeLease(model, event);
    case 'remove':
      return judgeRemove(model, event);
    case 'record':
    case 'announce': {
      const record = model.records.get(event.deletionId);
      const isEnding = record?.state === (event.kind === 'record' ? 'begun' : 'cancelled');
      if (record === undefined || !isEnding || record.dueAtMs === undefined) return undefined;
      if (event.kind === 'record') record.state = 'completed';
      Object.assign(record, { dueAtMs: undefined, endedAtMs: event.limitAtMs });
      return undefined;
    }
    case 'post': {
      for (const id of event.jobIds) post(model, event.accountId, id);
      const { limit, jobs } = accountOf(model, event.accountId);
      resize(limit, jobs.size);
      return undefined;
    }
    case 'expire':
      for (const [id, { endedAtMs = Infinity }] of model.records)
        if (endedAtMs < event.limitAtMs - event.retentionMs) model.records.delete(id);
      return undefined;
    case 'states': {
      const isSame = (id: string, state: string | undefined) => {
        const expected = model.records.get(id)?.state;
        return expected === 'begun' ? state === 'accepted' || state === 'published' : state === expected;
      };
      const wrong = [...event.answer].filter(([id, state]) => !isSame(id, state));
      const [first] = wrong;
      return first && `${first[0]} is ${String(first[1])}, not ${String(model.records.get(first[0])?.state)}`;
    }
  }
}

function accountOf({ accounts }: SafetyModel, accountId: string): Account {
  const account = accounts.get(accountId);
  if (account === undefined) throw new Error(`no account ${accountId}`);
  return account;
}

function holderOf({ records }: SafetyModel, posting: number): DeletionRecord | undefined {
  return [...records.values()].find(
    ({ state, postings }) => state !== 'cancelled' && postings.includes(posting),
  );
}

function post(model: SafetyModel, accountId: string, id: string): void {
  const { jobs } = accountOf(model, accountId);
  const posting = jobs.get(id);
  if (posting === undefined || holderOf(model, posting) !== undefined) jobs.set(id, ++model.postings);
}

function judgeAccept(
  model: SafetyModel,
  request: ModelRequest,
  answer: AcceptAnswer,
  precision: LimitPrecision,
): string | undefined {
  const { accountId, jobIds, dryRun, key, deletionId } = request;
  const account = accountOf(model, accountId);
  const expect = (expected: AcceptAnswer) =>
    JSON.stringify(answer) === JSON.stringify(expected)
      ? undefined
      : `${deletionId} of ${accountId}: ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`;
  if (!dryRun) {
    const isSame = (record: DeletionRecord) => record.request.jobIds.join() === jobIds.join();
    const own = model.records.get(deletionId);
    if (own !== undefined)
      return expect(
        own.request.accountId === accountId && isSame(own)
          ? { kind: 'accepted', id: deletionId, replayed: false }
          : { kind: 'key-reused' },
      );
    const keyed = [...model.records.values()].find(
      (record) => key !== undefined && record.request.key === key && record.request.accountId === accountId,
    );
    if (keyed !== undefined)
      return expect(
        isSame(keyed)
          ? { kind: 'accepted', id: keyed.request.deletionId, replayed: true }
          : { kind: 'key-reused' },
      );
  }
  const found = jobIds.map((id) => account.jobs.get(id));
  const isMissing = (posting: number | undefined) =>
    posting === undefined || holderOf(model, posting) !== undefined;
  const positions = found.flatMap((posting, position) => (isMissing(posting) ? [position] : []));
  if (positions.length > 0) return expect({ kind: 'jobs-not-found', positions });
  const refused = answer.kind === 'limit-exceeded' ? answer : undefined;
  const wrong = judgeLimit(account.limit, jobIds.length, refused, precision);
  if (wrong !== undefined) return `${deletionId} of ${accountId}: ${wrong}`;
  if (refused !== undefined) return undefined;
  if (dryRun) return expect({ kind: 'would-be-accepted' });
  const { delayMs, atMs } = request;
  const state = delayMs === 0 ? 'begun' : 'waiting';
  const postings = found.filter((posting) => posting !== undefined);
  const record = { request, postings, state, dueAtMs: atMs + delayMs, endedAtMs: undefined } as const;
  model.records.set(deletionId, { ...record });
  countAccepted(account.limit, jobIds.length);
  return expect({ kind: 'accepted', id: deletionId, replayed: false });
}

function judgeCancel(
  { records }: SafetyModel,
  { deletionId, accountId, atMs, answer }: Extract<SafetyEvent, { kind: 'cancel' }>,
): string | undefined {
  const record = records.get(deletionId);
  const isKnown = record?.request.accountId === accountId;
  const isCancellable = record?.state === 'waiting' || record?.state === 'cancelled';
  const expected = !isKnown ? 'not-found' : isCancellable ? 'cancelled' : 'not-cancellable';
  if (answer !== expected) return `cancelling ${deletionId}: ${answer}, not ${expected}`;
  if (isKnown && record.state === 'waiting') Object.assign(record, { state: 'cancelled', dueAtMs: atMs });
  return undefined;
}

function judgeLease(
  { records }: SafetyModel,
  { atMs, untilMs, answer }: Extract<SafetyEvent, { kind: 'lease' }>,
): string | undefined {
  const leased = [...records].filter(([, { dueAtMs = Infinity }]) => dueAtMs <= atMs);
  for (const [, record] of leased) {
    record.dueAtMs = untilMs;
    if (record.state === 'waiting') record.state = 'begun';
  }
  const expected = leased.map(([id, { state }]) => `${id} ${state}`).sort();
  const given = answer.map(({ id, state }) => `${id} ${state === 'cancelled' ? state : 'begun'}`).sort();
  if (given.join() === expected.join()) return undefined;
  return `leased ${given.join()}, not ${expected.join()}`;
}

function judgeRemove(
  model: SafetyModel,
  { deletionId, removed }: Extract<SafetyEvent, { kind: 'remove' }>,
): string | undefined {
  const record = model.records.get(deletionId);
  const mayRemove = record?.state === 'begun' || record?.state === 'completed';
  let expected: number | undefined;
  if (mayRemove) {
    const account = accountOf(model, record.request.accountId);
    const own = [...account.jobs].filter(([, posting]) => record.postings.includes(posting));
    for (const [id] of own) account.jobs.delete(id);
    resize(account.limit, account.jobs.size);
    expected = own.length;
  }
  if (removed === expected) return undefined;
  return `${deletionId} (${String(record?.state)}) removed ${String(removed)} jobs, not ${String(expected)}`;
}

/** Returns the jobs that no deletion has claimed, in the order of their ids. */
export function freeJobsOf(model: SafetyModel, accountId: string): string[] {
  const jobs = [...accountOf(model, accountId).jobs];
  return jobs.flatMap(([id, posting]) => (holderOf(model, posting) === undefined ? id : [])).sort();
}
