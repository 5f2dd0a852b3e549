import type { experimental } from '@grpc/grpc-js';
import {
  askHealth,
  callerMetadata,
  channelOptions,
  channelSecurity,
  resolverOptions,
} from '@jobs-delete/proto/client-channel';
import type { CountJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountJobsResponse';
import type { CountDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsResponse';
import type { DayCounts__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DayCounts';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetJobTitlesResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetJobTitlesResponse';
import type { Job__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Job';
import type { ListDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import type { ListJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListJobsResponse';
import type { SearchJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SearchJobsResponse';
import type { SafetyRules__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/SafetyRules';
import { isDeletionId } from '@jobs-delete/proto/ids';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { Fault } from '@jobs-delete/runtime/fault';
import { createSharedReads } from '../web/late-value.ts';
import { encodeLimit, readSafety } from './account-safety.ts';
import { answerTo, messagesOf, refusalOf } from './answer-to.ts';
import type { DayCounts, DeleterCalls } from './deleter-calls.ts';
import { readDeletion, readState, stateNames, type DeletionOutcome } from './deletion.ts';

export interface DeleterCallsOptions {
  /** `HOST:PORT`, `dns:///HOST:PORT` or `ipv4:ADDRESS:PORT,ADDRESS:PORT`. Calls go to all addresses in turn. */
  readonly address: string;
  /** Proves the name of a caller with the role `manage` or `manage-and-delete`. Called for each call: the token may change. */
  readonly serviceToken: (() => string | undefined) | undefined;
  /** Undefined for a connection without TLS. */
  readonly certificates: experimental.CertificateProvider | undefined;
  /** Timeout of a call with its retries. */
  readonly timeoutMs: number;
  /** Maximum time of a watch. Default: 60 s. */
  readonly maxWatchMs?: number;
}

const checkTimeoutMs = 2_000;

/** Every call may be repeated: it reads, or a second one changes nothing more. */
const serviceConfig = {
  loadBalancingConfig: [{ round_robin: {} }],
  methodConfig: [
    {
      name: [{ service: 'jobs.deleter.v1.DeleterService' }],
      retryPolicy: {
        maxAttempts: 3,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
};

/** Connects to every address of the deleter service when the first call starts. */
export function connectDeleterCalls(options: DeleterCallsOptions): DeleterCalls {
  const { address, serviceToken, certificates, timeoutMs, maxWatchMs = 60_000 } = options;
  const metadata = callerMetadata(serviceToken);
  const client = new DeleterService(address, channelSecurity(certificates), {
    ...channelOptions,
    'grpc.service_config': JSON.stringify(serviceConfig),
    ...resolverOptions,
  });
  const shareCount = createSharedReads<number>();
  const context = () => [metadata(), { deadline: Date.now() + timeoutMs }] as const;

  return {
    listDeletions: async ({
      accountId,
      pageSize,
      pageToken = '',
      state,
      tokenId = '',
      jobId = '',
      ...range
    }) => {
      const request = {
        accountId,
        pageSize,
        pageToken,
        tokenId,
        jobId,
        state: state === undefined ? ('DELETION_STATE_UNSPECIFIED' as const) : stateNames[state],
        acceptedFromMs: range.acceptedFromMs ?? 0,
        acceptedToMs: range.acceptedToMs ?? 0,
      };
      const page = await answerTo<ListDeletionsResponse__Output>(
        (callback) => client.ListDeletions(request, ...context(), callback),
        { invalidField: 'page_token' },
      );
      return (
        page && {
          deletions: page.deletions.map(readDeletion),
          nextPageToken: page.nextPageToken || undefined,
          examinedFromMs: page.examinedFromMs || undefined,
        }
      );
    },
    getDeletion: async (accountId, deletionId, { includeJobIds = false } = {}) => {
      // The id may come from an address.
      if (!isDeletionId(deletionId)) return undefined;
      const found = await answerTo<Deletion__Output>((callback) =>
        client.GetDeletion({ accountId, deletionId, includeJobIds }, ...context(), callback),
      );
      return found && { ...readDeletion(found), ...(includeJobIds && { jobIds: found.jobIds }) };
    },
    getJob: async (accountId, jobId) => {
      const job = await answerTo<Job__Output>((callback) =>
        client.GetJob({ accountId, jobId }, ...context(), callback),
      );
      return job && { importedAtMs: job.importedAtMs, deletionId: job.deletionId || undefined };
    },
    describeJobs: async (accountId, jobIds) => {
      const found = await answerTo<GetJobTitlesResponse__Output>((callback) =>
        client.GetJobTitles({ accountId, jobIds: [...jobIds] }, ...context(), callback),
      );
      const { titles = {}, importedAtMs = {} } = found ?? {};
      return { titles: new Map(Object.entries(titles)), importedAtMs: new Map(Object.entries(importedAtMs)) };
    },
    searchJobs: async ({ accountId, text, limit, after = '' }) => {
      // A text without a word finds nothing.
      const page = await answerTo<SearchJobsResponse__Output>(
        (callback) => client.SearchJobs({ accountId, text, limit, after }, ...context(), callback),
        { invalidField: 'text' },
      );
      const { jobs = [], next = '' } = page ?? {};
      return {
        jobIds: jobs.map(({ id }) => id),
        titles: new Map(jobs.flatMap(({ id, title }) => (title === '' ? [] : [[id, title]]))),
        // An api of an earlier release knows no times.
        importedAtMs: new Map(
          jobs.flatMap(({ id, importedAtMs }) => (importedAtMs === 0 ? [] : [[id, importedAtMs]])),
        ),
        next: next || undefined,
      };
    },
    listJobs: async ({ accountId, limit, after = '' }) => {
      const page = await answerTo<ListJobsResponse__Output>((callback) =>
        client.ListJobs({ accountId, limit, after }, ...context(), callback),
      );
      const { jobIds = [], next = '' } = page ?? {};
      return { jobIds, next: next || undefined };
    },
    countJobs: (accountId) =>
      shareCount(accountId, async () => {
        const count = await answerTo<CountJobsResponse__Output>((callback) =>
          client.CountJobs({ accountId }, ...context(), callback),
        );
        return count?.jobs ?? 0;
      }),
    countDeletions: async ({ tokenId = '', ...range }) => {
      const counts = await answerTo<CountDeletionsResponse__Output>((callback) =>
        client.CountDeletions({ tokenId, ...range }, ...context(), callback),
      );
      const { days = [], retentionMs = 0 } = counts ?? {};
      return { days: days.map(readDay), retentionMs: retentionMs || undefined };
    },
    watchDeletion: async function* (accountId, deletionId, signal) {
      const start = () =>
        client.WatchDeletion({ accountId, deletionId }, metadata(), { deadline: Date.now() + maxWatchMs });
      for await (const message of messagesOf(start, signal)) yield readDeletion(message);
    },
    deleteJobs: async ({ isCheck, jobIds, ...rest }) => {
      const request = { ...rest, jobIds: [...jobIds], dryRun: isCheck };
      const answer = await answerTo<DeleteJobsResponse__Output, DeletionOutcome>(
        (callback) => client.DeleteJobs(request, ...context(), callback),
        { readRefusal: refusalOf },
      );
      if (answer === undefined)
        throw new Fault('internal', 'deleter: DeleteJobs was answered without positions');
      return 'kind' in answer ? answer : { kind: 'accepted' };
    },
    cancelDeletion: async (accountId, deletionId, origin) => {
      const answer = await answerTo<Deletion__Output, 'not-cancellable'>(
        (callback) => client.CancelDeletion({ accountId, deletionId, origin }, ...context(), callback),
        { refused: 'not-cancellable' },
      );
      return typeof answer === 'object' ? readDeletion(answer) : answer;
    },
    getSafety: async (accountId) => {
      const rules = await answerTo<SafetyRules__Output>((callback) =>
        client.GetSafetyRules({ accountId }, ...context(), callback),
      );
      if (rules === undefined)
        throw new Fault('internal', 'deleter: GetSafetyRules was answered with NOT_FOUND');
      return readSafety(rules);
    },
    changeSafety: async (accountId, { removalDelayMs, limit }) => {
      const request = {
        accountId,
        ...(removalDelayMs !== undefined && { removalDelayMs }),
        limit: limit === undefined ? null : encodeLimit(limit),
      };
      await answerTo<SafetyRules__Output>((callback) =>
        client.ChangeSafetyRules(request, ...context(), callback),
      );
    },
    allowDeletions: async (accountId, allowance) => {
      const answer = await answerTo<SafetyRules__Output, 'too-many'>(
        (callback) => client.AllowDeletions({ accountId, allowance }, ...context(), callback),
        { refused: 'too-many' },
      );
      if (answer === 'too-many') return answer;
      const isListed = answer?.allowances.some(({ id, jobs }) => id === allowance.id && jobs > 0);
      return isListed ? 'allowed' : 'ended';
    },
    endAllowance: async (accountId, id) => {
      const request = { accountId, allowance: { id }, endEarly: true };
      await answerTo<SafetyRules__Output>((callback) =>
        client.AllowDeletions(request, ...context(), callback),
      );
    },
    check: async () => {
      const health = await askHealth(client, metadata(), checkTimeoutMs);
      return health.kind === 'serving' ? undefined : health.reason;
    },
    close: () => client.close(),
  };
}

function readDay({ states, ...counts }: DayCounts__Output): DayCounts {
  return { ...counts, states: states.map((each) => ({ ...each, state: readState(each.state) })) };
}
