/** A deliberate bug: `to` replaces `from`, which occurs once in the file. */
export interface Bug {
  readonly name: string;
  /** Below the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** One of the first 60 seeds finds it, so CI checks that. */
  readonly isFoundAtOnce?: true;
}

const deletion = 'deleter-service/src/deletion';
const store = 'deleter-service/src/store';
const gateway = 'gateway/src/deleter';

export const bugs: readonly Bug[] = [
  {
    name: 'a removal is recorded before its announcement',
    file: `${deletion}/remove-parts.ts`,
    from: '  if (events.length > 0) await eventLog.publish(jobsDeletedTopic, events);\n  if (answer.parts.length > 0) await store.recordRemovals(answer.parts, clock.now());',
    to: '  if (answer.parts.length > 0) await store.recordRemovals(answer.parts, clock.now());\n  if (events.length > 0) await eventLog.publish(jobsDeletedTopic, events);',
    isFoundAtOnce: true,
  },
  {
    name: 'a removal is announced without waiting for the log',
    file: `${deletion}/remove-parts.ts`,
    from: 'if (events.length > 0) await eventLog.publish(jobsDeletedTopic, events);',
    to: 'if (events.length > 0) void eventLog.publish(jobsDeletedTopic, events).catch(() => undefined);',
  },
  {
    name: 'removals are not recorded',
    file: `${deletion}/remove-parts.ts`,
    from: 'if (answer.parts.length > 0) await store.recordRemovals(answer.parts, clock.now());',
    to: '',
  },
  {
    name: 'the offset moves before the removal is done',
    file: `${deletion}/remove-jobs.ts`,
    from: 'await remove(step, progress);',
    to: 'void remove(step, progress).catch(() => undefined);',
  },
  {
    name: 'invalid events are dropped without a dead letter',
    file: `${deletion}/remove-jobs.ts`,
    from: 'if (letters.length > 0) {',
    to: 'if (letters.length > 1_000_000) {',
  },
  {
    name: 'events that cannot be processed now are not put back',
    file: `${deletion}/remove-jobs.ts`,
    from: 'if (left.length > 0) await putBack(',
    to: 'if (left.length > 1_000_000) await putBack(',
  },
  {
    name: 'a worker gives up putting events back after an error',
    file: `${deletion}/remove-jobs.ts`,
    from: '      if (batch.signal.aborted) throw error;\n      onError(error, attempt);',
    to: '      if (batch.signal.aborted) throw error;\n      if (attempt > 0) return undefined as Result;\n      onError(error, attempt);',
  },
  {
    name: 'parts that are neither removed nor postponed are forgotten',
    file: `${deletion}/remove-by-account.ts`,
    from: 'if (!(await postpone(parts, progress, error))) progress.left.push(...parts);',
    to: 'await postpone(parts, progress, error);',
  },
  {
    name: 'a postponed deletion is never due again',
    file: `${deletion}/remove-by-account.ts`,
    from: 'store.postpone(keysOf(parts), clock.now() + postponedMs)',
    to: 'store.postpone(keysOf(parts), clock.now() + 1_000 * postponedMs)',
  },
  {
    name: 'after a failed removal of many accounts no account is tried alone',
    file: `${deletion}/remove-by-account.ts`,
    from: '      await removeByAccount(parts, progress);',
    to: '      void removeByAccount;',
  },
  {
    name: 'a removal attempt has no time limit',
    file: `${deletion}/with-heartbeats.ts`,
    from: 'withTimeLimit(attempt, limitMs,',
    to: 'withTimeLimit(attempt, Infinity,',
  },
  {
    name: 'claims of an event are not compared with the record',
    file: `${store}/removed-parts.ts`,
    from: 'share.length === named.length && share.every((claim, index) => claim === named[index])',
    to: 'share.length > 0',
  },
  {
    name: 'a part that is recorded twice counts twice',
    file: `${store}/removed-parts.ts`,
    from: 'Math.max(0, end - Math.max(from, reached))',
    to: 'end - from',
  },
  {
    name: 'the second part of a deletion has the claims of the first',
    file: `${deletion}/deletion-event.ts`,
    from: 'deletion.claims[from + index]',
    to: 'deletion.claims[index]',
  },
  {
    name: 'an idempotency key is compared by the number of ids',
    file: `${store}/accept-outcomes.ts`,
    from: 'deletion.jobIds.length === jobIds.length && deletion.jobIds.every((id, index) => id === jobIds[index])',
    to: 'deletion.jobIds.length === jobIds.length',
  },
  {
    name: 'the delay of an account is not kept',
    file: `${deletion}/accept-deletion.ts`,
    from: 'dueAtMs: removalAtMs ?? reservation',
    to: 'dueAtMs: reservation',
    isFoundAtOnce: true,
  },
  {
    name: 'a deletion is due again a day after its acceptance',
    file: `${deletion}/relay-outbox.ts`,
    from: 'const leasedUntilMs = nowMs + leaseMs;',
    to: 'const leasedUntilMs = nowMs + 86_400_000;',
  },
  {
    name: 'a publication that fails is not tried again',
    file: `${deletion}/relay-outbox.ts`,
    from: '        onError(error, attempt);\n        if (stopping.aborted) return false;',
    to: '        onError(error, attempt);\n        return true;',
  },
  {
    name: 'a relay publishes only what its own api has accepted',
    file: `${deletion}/sweep-outbox.ts`,
    from: 'isDue: () => !stopping.aborted && running',
    to: 'isDue: () => stopping.aborted && running',
    isFoundAtOnce: true,
  },
  {
    name: 'an account whose deletions wait in memory is left out for ever',
    file: `${deletion}/sweep-outbox.ts`,
    from: '        jobsOf.delete(accountId);',
    to: '',
  },
  {
    name: 'a sweep that fails is the last one',
    file: `${deletion}/sweep-outbox.ts`,
    from: '      onError(error, 1);\n',
    to: '      onError(error, 1);\n      await new Promise(() => undefined);\n',
  },
  {
    name: 'removed jobs give no permits back to the relay',
    file: `${deletion}/bound-open-jobs.ts`,
    from: 'permitsOf(jobs).give(accountId, jobs);',
    to: 'void permitsOf(jobs);',
  },
  {
    name: 'a failed look-up fails all requests of its group',
    file: `${store}/group-commit.ts`,
    from: "if (isShared && code !== 'busy') setApart(one);",
    to: "if (isShared && code === 'internal') setApart(one);",
  },
  {
    name: 'a late group holds all its accounts',
    file: `${store}/group-commit.ts`,
    from: 'onLate: (open) => open.forEach(setApart),',
    to: '',
  },
  {
    name: 'answered requests keep their permits',
    file: `${store}/group-commit.ts`,
    from: 'permits.give(accountId, jobIds.length);',
    to: '',
    isFoundAtOnce: true,
  },
  {
    name: 'failed requests keep their permits',
    file: `${store}/group-commit.ts`,
    from: 'permits.give(accountId, jobIds.length);',
    to: 'if (!(outcome instanceof Fault)) permits.give(accountId, jobIds.length);',
  },
  {
    name: 'a hung call counts as hung for ever',
    file: `${store}/accept-lane.ts`,
    from: 'if (call.isLate) hung -= 1;',
    to: 'if (call.isLate) hung -= 0;',
  },
  {
    name: 'an account set apart has one call in its life',
    file: `${store}/accept-lane.ts`,
    from: '    busy.delete(accountOf(call.group));',
    to: '',
  },
  {
    name: 'a request that may be written is called refused for load at its deadline',
    file: `${store}/accept-lane.ts`,
    from: "const code = request.dryRun ? 'unavailable' : 'unknown-outcome';",
    to: "const code = 'busy';",
  },
  {
    name: 'a refusal is given while the first attempt of its group is written',
    file: `${store}/accept-lane.ts`,
    from: "return !request.dryRun && (kind === 'jobs-not-found' || kind === 'limit-exceeded');",
    to: "return request.dryRun && kind === 'limit-exceeded';",
  },
  {
    name: 'the rules of an account are read once, and never if that fails',
    file: `${deletion}/read-rules.ts`,
    from: '() => reading.delete(accountId)',
    to: '() => undefined',
  },
  {
    name: 'an api draws the id of a deletion itself',
    file: 'deleter-service/src/grpc/serve-delete-jobs.ts',
    from: "deletionId: request.deletionId === '' ? undefined : request.deletionId,",
    to: 'deletionId: undefined,',
  },
  {
    name: 'a deletion is read for any account',
    file: 'deleter-service/src/grpc/read-deletions.ts',
    from: 'await store.findReceipt(deletionId, accountId)',
    to: 'await store.findReceipt(deletionId, undefined)',
    isFoundAtOnce: true,
  },
  {
    name: 'a read that fails finds no deletion',
    file: `${gateway}/repeated-calls.ts`,
    from: 'if (hasCode(error, status.NOT_FOUND)) return undefined;\n    throw',
    to: 'if (error !== undefined) return undefined;\n    throw',
  },
  {
    name: 'a lost read is not repeated',
    file: `${gateway}/repeated-calls.ts`,
    from: 'if (!mayRepeat(error) || ',
    to: 'if (mayRepeat(error) || ',
  },
  {
    name: 'a published deletion is read as completed',
    file: `${gateway}/repeated-calls.ts`,
    from: "if (state === 'DELETION_STATE_COMPLETED') return 'completed';",
    to: "if (state === 'DELETION_STATE_COMPLETED' || state === 'DELETION_STATE_PUBLISHED') return 'completed';",
  },
  {
    name: 'busy is called sick',
    file: `${gateway}/pool.ts`,
    from: "if (!isBusy && loss !== 'untouched') attempt.failedAfter",
    to: "if (loss !== 'untouched') attempt.failedAfter",
  },
  {
    name: 'a lost request is not sent to another api',
    file: `${gateway}/pool.ts`,
    from: "isBusy ? !pending.wasRefused : fault.code !== 'internal'",
    to: 'isBusy && !pending.wasRefused',
  },
  {
    name: 'a second attempt has another id',
    file: `${gateway}/pool.ts`,
    from: 'replica.connection.deleteJobs(pending.request,',
    to: "replica.connection.deleteJobs(pending.attempts.length === 1 ? pending.request : { ...pending.request, deletionId: '' },",
    isFoundAtOnce: true,
  },
  {
    name: 'a refusal is given while another attempt may be accepted',
    file: `${gateway}/pending-request.ts`,
    from: "return answer.kind === 'jobs-not-found' || answer.kind === 'limit-exceeded';",
    to: 'return false;',
  },
  {
    name: 'the limit of an account is not kept',
    file: `${deletion}/accept-deletion.ts`,
    from: '...(limit !== undefined && { guard: { limit, allowances } }),',
    to: '',
  },
  {
    name: 'a lost attempt is forgotten when another one is refused',
    file: `${gateway}/pool.ts`,
    from: 'pending.unknown ??= fault;',
    to: 'void pending.unknown;',
  },
  {
    name: 'requests stay with an api that answers nothing',
    file: `${gateway}/pool.ts`,
    from: 'if (replica.isSilent() || replica.isBlamed()) this.#moveAway(replica.small);',
    to: 'if (replica.isSilent() && replica.isBlamed()) this.#moveAway(replica.large);',
  },
  {
    name: 'a slow api is never compared with another one',
    file: `${gateway}/pool.ts`,
    from: 'else if (replica.comparison === undefined) this.#compare(replica);',
    to: '',
  },
  {
    name: 'a sick api stays sick',
    file: `${gateway}/replica.ts`,
    from: 'if (goodReads >= readsToRecover) trouble = undefined;',
    to: '',
    isFoundAtOnce: true,
  },
];
