import { setTimeout as delay } from 'node:timers/promises';
import type { Allowance } from '@jobs-delete/deleter-service/store/safety-rules';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { callerHeaders, send } from '../harness/http-client.ts';
import type { TestAccount } from '../harness/service.ts';
import { currentTest } from '../harness/until.ts';
import type { Span } from '../linearizability/history.ts';
import {
  deletionIdOf,
  drawRequest,
  finalAnswer,
  runWith,
  timed,
  type Attempt,
  type Client,
  type DrawRequest,
  type SentRequest,
  type Whereabouts,
} from './sent-requests.ts';

/** What clients and operators do beside the requests, for the audit. */
export interface SafetyLog {
  readonly limits: ReadonlyMap<string, AccountLimit>;
  readonly cancellations: SentCancellation[];
  readonly repostings: Reposting[];
}

export interface AccountLimit {
  readonly jobs: number;
  readonly allowances: (Allowance & { readonly fromMs: number })[];
  /** The limit is removed at this time. */
  liftedAtMs: number;
}

export interface SentCancellation {
  readonly account: TestAccount;
  readonly deletionId: string;
  readonly attempts: Attempt[];
}

export interface Reposting {
  readonly accountId: string;
  readonly jobId: string;
  /** Undefined if an answer was lost: then the posting may be new or not. */
  readonly isNew: boolean | undefined;
  readonly attempts: number;
  /** From the first attempt to the last answer. */
  readonly span: Span;
}

/** How an account is protected in a campaign. */
export interface Protection {
  readonly limit: number;
  readonly removalDelayMs: number;
}

/** Protects accounts. Allowances come and go: each is larger than those before, because their jobs still count. */
export async function protectAccounts(
  store: Pick<Store, 'setRules' | 'addAllowance'>,
  protections: Readonly<Record<string, Protection>>,
) {
  const limits = new Map<string, AccountLimit>();
  const log: SafetyLog = { limits, cancellations: [], repostings: [] };
  for (const [accountId, { limit, removalDelayMs }] of Object.entries(protections)) {
    await store.setRules(accountId, { limit: { kind: 'jobs', jobs: limit }, removalDelayMs });
    limits.set(accountId, { jobs: limit, allowances: [], liftedAtMs: Infinity });
  }
  return {
    log,
    /** Allows the jobs to each account for the time. */
    allowMore: async (share: number, forMs: number) => {
      for (const [accountId, { jobs, allowances }] of limits) {
        const fromMs = Date.now();
        const more = Math.ceil(jobs * share) * (allowances.length + 1);
        const allowance = { id: String(allowances.length), jobs: more, untilMs: fromMs + forMs };
        allowances.push({ ...allowance, fromMs });
        await insist(() => store.addAllowance(accountId, allowance, fromMs));
      }
    },
    lift: async () => {
      for (const [accountId, limit] of limits) {
        limit.liftedAtMs = Date.now();
        await insist(() => store.setRules(accountId, { limit: undefined }));
      }
    },
  };
}

/** Runs a client that cancels some deletions before or after the end of their delay, and posts some jobs again. */
export function carefulClient(
  store: Pick<Store, 'importJobs'>,
  { repostings, cancellations }: SafetyLog,
  delayMs: number,
): Client {
  return (...client) => {
    const [, , random, service] = client;
    const freed: (readonly string[])[] = [];
    const draw: DrawRequest = (name, pool, chance) => {
      const jobIds = freed.shift();
      if (jobIds === undefined) return drawRequest(name, pool, chance);
      return { account: pool.account, format: 'json', jobIds, key: `again-${name}`, attempts: [] };
    };
    const after = async ({ account, jobIds, ...request }: SentRequest) => {
      const answer = finalAnswer({ account, jobIds, ...request });
      const deletionId = answer?.status === 200 ? deletionIdOf(answer) : undefined;
      if (deletionId === undefined) return;
      const chance = random.fraction();
      if (chance < 0.2) {
        const jobId = jobIds[random.below(jobIds.length)] ?? '';
        repostings.push(await repost(account.accountId, jobId, store));
      } else if (chance < 0.8) {
        await delay(random.fraction() * 1.3 * delayMs);
        const cancellation: SentCancellation = { account, deletionId, attempts: [] };
        cancellations.push(cancellation);
        await cancelUntilKnown(cancellation, service);
        if (isToldAsCancelled(cancellation) && random.fraction() < 0.7) freed.push(jobIds);
      }
    };
    return runWith({ draw, after }, ...client);
  };
}

export function isToldAsCancelled({ attempts }: SentCancellation): boolean {
  return attempts.at(-1)?.answer?.status === 200;
}

async function cancelUntilKnown({ account, deletionId, attempts }: SentCancellation, service: Whereabouts) {
  while (!currentTest.isOver) {
    const baseUrl = await service.baseUrl();
    const call = { path: `/v1/deletions/${deletionId}`, headers: callerHeaders(account) };
    const { answer, ...times } = await timed(() => send(baseUrl, call).catch(() => undefined));
    attempts.push({ answer, ...times });
    if (answer !== undefined && answer.status !== 503) return;
    await delay(5);
  }
}

async function repost(
  accountId: string,
  jobId: string,
  store: Pick<Store, 'importJobs'>,
): Promise<Reposting> {
  let attempts = 0;
  const { answer, span } = await timed(() =>
    insist(() => {
      attempts += 1;
      return store.importJobs(accountId, [{ id: jobId, posting: {} }], Date.now());
    }),
  );
  return { accountId, jobId, isNew: attempts === 1 ? answer.imported === 1 : undefined, attempts, span };
}

/** Repeats the call through outages. */
async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (currentTest.isOver) throw error;
      await delay(50);
    }
  }
}
